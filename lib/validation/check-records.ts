import { ApiError, MAX_PROBLEMS, type Problem } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import { sentence } from '../errors/sentence.js';
import { shownValues, storedValues } from './host-values.js';
import type { Fault, RecordChecks, RecordValues, Verdict, WrittenRecord } from './record-check.js';

/** Where a fault is, and how it is told, in the style of the request. */
type ToProblem<Written extends WrittenRecord> = (fault: Fault, record: Written) => Problem;

/**
 * Shows every record of a request to the host's validator of its model and action, one after the other, before anything is written.
 *
 * @returns what to write of each record's plain fields, in order
 * @throws ApiError `validation-error` with all that they found
 */
export async function checkRecords<Written extends WrittenRecord>(
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

async function checkRecord(record: WrittenRecord, checks: RecordChecks): Promise<Verdict> {
  const validator = checks.get(record.resource.model)?.[record.action];
  if (!validator) return record;
  const shown = shownValues(record);
  const verdict = await validator.check(shown);
  return 'values' in verdict ? { values: storedValues(verdict.values, shown, record) } : verdict;
}

/** A validator that refuses without a word still refuses. */
export function faultsOf(faults: readonly Fault[]): readonly Fault[] {
  const known = faults.length > 0 ? faults : [{ path: [], message: 'These values are not accepted' }];
  return known.map(({ path, message }) => ({ path, message: sentence(cut(message, MAX_MESSAGE)) }));
}

/** Validators quote names inside of Json values, which are the client's. */
const MAX_MESSAGE = 500;
