import type { DataCall, TransactionPlan } from '../executor/plan.js';
import { ApiError, type Problem } from '../errors/api-error.js';
import { withCallIndex } from '../errors/with-call-index.js';
import { cut } from '../errors/quote.js';
import type { Surface } from '../model/surface/surface.js';
import { mapRecords, recordsOf } from '../query/map-records.js';
import type { WrittenField, WrittenRecord } from '../query/write.js';
import { checkRecords } from '../validation/check-records.js';
import type { Fault, RecordChecks, RecordValues, CheckedRecord } from '../validation/record-check.js';
import { exposedRecord } from './check-written-records.js';

/** The validators of the application, and the models that they validate. */
export interface Validation {
  readonly checks: RecordChecks;
  readonly model: Pick<Surface, 'byModel'>;
}

/**
 * Validates every record that a call writes, at any depth, with the validators of the application.
 *
 * @returns the same call with the values that the validators have returned
 * @throws ApiError `validation-error`, one problem with the path of its value for each fault
 */
export async function validateRpcCall(planned: DataCall, { checks, model }: Validation): Promise<DataCall> {
  const { query } = planned;
  if (checks.size === 0) return planned;
  const records = recordsOf(query).map(({ record }) => shownRecord(record, model));
  if (records.every(({ resource }) => !checks.has(resource.model))) return planned;
  const accepted = await checkRecords(records, checks, toProblem);
  let next = 0;
  const validated = mapRecords(query, ({ record }) => {
    const position = next++;
    return { ...record, fields: acceptedFields(record, records[position]?.values ?? {}, accepted[position] ?? {}) };
  });
  return { ...planned, query: validated };
}

/** Validates the records of a batch, as {@link validateRpcCall} does. */
export async function validateRpcBatch(plan: TransactionPlan, validation: Validation): Promise<TransactionPlan> {
  const validated: DataCall[] = [];
  for (const [index, planned] of plan.calls.entries()) validated.push(await inOperation(index, () => validateRpcCall(planned, validation)));
  return { ...plan, calls: validated };
}

async function inOperation<Result>(index: number, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ApiError ? withCallIndex(error, index) : error;
  }
}

interface RecordOfCall extends CheckedRecord {
  readonly record: WrittenRecord;
}

/**
 * Returns the plain fields of a record for its validator. A new value is passed itself; any other operation (`{ increment: 1 }`) as the client sent
 * it.
 */
function shownRecord(record: WrittenRecord, model: Validation['model']): RecordOfCall {
  const values = record.fields.map(
    ({ field, operation, value }) => [field.name, operation === 'set' ? value : { [operation]: value }] as const,
  );
  return { record, resource: exposedRecord(record, model), action: record.action, values: Object.fromEntries(values) };
}

/** Returns the fields with the validated values. A field whose value no validator has changed keeps its operation. */
function acceptedFields({ model, fields }: WrittenRecord, shown: RecordValues, accepted: RecordValues): readonly WrittenField[] {
  return Object.entries(accepted).flatMap(([name, value]) => {
    const given = fields.find(({ field }) => field.name === name);
    if (given && value === shown[name]) return [given];
    const field = model.fields.get(name);
    return field ? [{ field, operation: 'set', value } as const] : [];
  });
}

function toProblem({ path, message }: Fault, { record }: RecordOfCall): Problem {
  const place = [...record.at, ...path].map((key) => cut(String(key))).join('.');
  return { code: 'validation-error', detail: `${place}: ${message}`, path: place, fault: message };
}
