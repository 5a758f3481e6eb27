import type { CallPlan, DataCall, TransactionPlan } from '../data-client/plan.js';
import { ApiError, type Problem } from '../errors/api-error.js';
import { withCallIndex } from '../errors/with-call-index.js';
import { cut } from '../errors/quote.js';
import type { Attribute } from '../model/surface/surface.js';
import { checkRecords } from '../validation/check-records.js';
import type { Fault, RecordChecks, RecordValues, WrittenRecord } from '../validation/record-check.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type Data, mapWrittenRecords, type WrittenData } from './map-written-records.js';
import type { RpcCall } from './parse-rpc-call.js';

/**
 * Shows every record that a call writes, at any depth, to the host's validators.
 *
 * @returns the same plan with the values that they accepted
 * @throws ApiError `validation-error`, one problem with the path of its value for each fault
 */
export async function validateRpcCall(call: RpcCall, plan: CallPlan, checks: RecordChecks): Promise<CallPlan> {
  return { ...plan, call: await validateCall(call, plan.call, checks) };
}

/** {@link validateRpcCall} for the operations of a batch. */
export async function validateRpcBatch(calls: readonly RpcCall[], plan: TransactionPlan, checks: RecordChecks): Promise<TransactionPlan> {
  const validated: DataCall[] = [];
  for (const [index, planned] of plan.calls.entries()) {
    const call = calls[index];
    if (call) validated.push(await inOperation(index, () => validateCall(call, planned, checks)));
  }
  return { ...plan, calls: validated };
}

async function inOperation<Result>(index: number, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ApiError ? withCallIndex(error, index) : error;
  }
}

async function validateCall(call: RpcCall, planned: DataCall, checks: RecordChecks): Promise<DataCall> {
  if (checks.size === 0) return planned;
  const records: (WrittenRecord & WrittenData)[] = [];
  mapWrittenRecords(call, planned.args, (record) => {
    records.push({ ...record, values: valuesOf(record) });
    return record.data;
  });
  if (records.every(({ resource }) => !checks.has(resource))) return planned;
  const accepted = await checkRecords(records, checks, toProblem);
  let next = 0;
  const args = mapWrittenRecords(call, planned.args, (record) => {
    const position = next++;
    return dataOf(record, records[position]?.values ?? {}, accepted[position] ?? {});
  });
  return { ...planned, args };
}

/** The plain fields of a record. `{ set: value }` is that value; any other operation (`{ increment: 1 }`) is shown as it is. */
function valuesOf({ resource, data }: WrittenData): RecordValues {
  const values = Object.entries(data).flatMap(([name, value]) => {
    const field = resource.fields.get(name);
    return field?.kind === 'attribute' ? [[name, newValue(field, value)] as const] : [];
  });
  return Object.fromEntries(values);
}

function newValue({ type, list }: Attribute, value: unknown): unknown {
  const isOperation = isPlainObject(value) && Object.hasOwn(value, 'set') && (type !== 'Json' || list);
  return isOperation ? value['set'] : value;
}

/** The accepted values, with the writes through relations. Values that no validator has changed keep the client's form. */
function dataOf({ resource, data }: WrittenData, shown: RecordValues, accepted: RecordValues): Data {
  const relations = Object.entries(data).filter(([name]) => resource.fields.get(name)?.kind === 'relationship');
  const values = Object.entries(accepted).map(([name, value]) => [name, value === shown[name] ? data[name] : value] as const);
  return Object.fromEntries([...values, ...relations]);
}

function toProblem({ path, message }: Fault, record: WrittenData): Problem {
  return { code: 'validation-error', detail: `${[...record.path, ...path].map((key) => cut(String(key))).join('.')}: ${message}` };
}
