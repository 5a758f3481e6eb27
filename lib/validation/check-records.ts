import { ApiError, MAX_PROBLEMS, type Problem } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import { sentence } from '../errors/sentence.js';
import { shownValues, storedValues } from './validator-values.js';
import type { Fault, RecordChecks, RecordValues, Verdict, CheckedRecord } from './record-check.js';

/** A function that converts a fault of a record into a problem of the request's style (REST or RPC). */
type ToProblem<Written extends CheckedRecord> = (fault: Fault, record: Written) => Problem;

/**
 * Validates every record of a request before the first write, one after the other. Each runs the application's validator for its model and action.
 *
 * @returns the values to write to each record's plain fields, in order
 * @throws ApiError `validation-error` with the faults of all records; validation stops after {@link MAX_PROBLEMS} faults
 */
export async function checkRecords<Written extends CheckedRecord>(
  records: readonly Written[],
  checks: RecordChecks,
  toProblem: ToProblem<Written>,
): Promise<readonly RecordValues[]> {
  const accepted: RecordValues[] = [];
  const problems: Problem[] = [];
  for (const record of records) {
    const verdict = await checkRecord(record, checks);
    if ('values' in verdict) accepted.push(verdict.values);
    else problems.push(...faultsOf(verdict.faults).map((fault) => toProblem(fault, record)));
    if (problems.length >= MAX_PROBLEMS) break;
  }
  if (problems.length > 0) throw ApiError.of(problems);
  return accepted;
}

async function checkRecord(record: CheckedRecord, checks: RecordChecks): Promise<Verdict> {
  const validator = checks.get(record.resource.model)?.[record.action];
  if (!validator) return record;
  const shown = shownValues(record);
  const verdict = await validator.check(shown);
  return 'values' in verdict ? { values: storedValues(verdict.values, shown, record) } : verdict;
}

/**
 * Returns faults with messages that are sentences of limited length. A rejection without faults gets a general message, so that it stays a rejection.
 */
export function faultsOf(faults: readonly Fault[]): readonly Fault[] {
  const known = faults.length > 0 ? faults : [{ path: [], message: 'These values are not accepted' }];
  return known.map(({ path, message }) => ({ path, message: sentence(cut(message, MAX_MESSAGE)) }));
}

/** The maximum length of a message. Validators may quote names of any length from Json values of the client. */
const MAX_MESSAGE = 500;
