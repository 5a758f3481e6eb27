import type { ApiStyle } from '../options/api-style.js';
import type { CompiledOptions } from '../module/compile-options.js';

/** The names and values of a question. */
export type Args = Readonly<Record<string, unknown>>;

/** One request that must be refused before it reaches the data layer, and without giving anything away. */
export interface Probe {
  /** For the report, e.g. `user/findMany orderBy.passwordHash`. */
  readonly surface: string;
  readonly style: ApiStyle;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the mount. */
  readonly path: string;
  readonly body?: unknown;
  /** `refusal`: the request names the field · `silence`: it does not, and so the answer must not. */
  readonly expect: 'refusal' | 'silence';
  /** Where the errors must point, for the request is faulty in another place, too. */
  readonly pointer?: string;
  /** An ordinary question about the model itself, which must be answered. */
  readonly control?: true;
  /** Delegate of the rows in the result of an RPC call. */
  readonly root?: string;
}

/** What came back for a probe. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The JSON of an answer; undefined where it is none. */
export function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What probes have to know of an API beside its model. */
export interface ProbeSettings {
  /** Joins the parts of compound ids in REST. */
  readonly divider: string;
  /** How many rows a probe may ask for. */
  readonly rows: number;
}

/** Some rows, since they need not show the same. */
const ROWS = 5;

export function probeSettings({ rest, limits }: CompiledOptions): ProbeSettings {
  return { divider: rest?.idDivider ?? '_', rows: Math.min(ROWS, rest?.maxPageSize ?? ROWS, limits.maxTake) };
}

/** A `GET` of the REST style that names the field. */
export function restProbe(path: string): Probe {
  return { surface: decodeURIComponent(path), style: 'rest', method: 'GET', path, expect: 'refusal' };
}

/** A call of the RPC style that names the field; see {@link asBatch} for its twin. */
export interface RpcProbe extends Probe {
  /** The same place with another operator: asked by itself only. */
  readonly isVariant?: true;
  readonly call: RpcProbeCall;
  /** Fails, and undoes what the call may have written: both are asked in one batch only. */
  readonly undoneBy?: RpcProbeCall;
}

/** A call of an operation. */
export interface RpcProbeCall {
  readonly delegate: string;
  readonly operation: string;
  readonly args: Args;
}

/** @param slot where in the arguments the field stands, for the report */
export function rpcProbe(slot: string, call: RpcProbeCall, expect: Probe['expect'] = 'refusal'): RpcProbe {
  const { delegate, operation, args } = call;
  const path = `/${delegate}/${operation}`;
  const probe = { surface: `${delegate}/${operation} ${slot}`, style: 'rpc', expect, call, root: delegate } as const;
  const method = METHODS.get(operation) ?? 'GET';
  if (method === 'POST' || method === 'PATCH') return { ...probe, method, path, body: args };
  return { ...probe, method, path: `${path}?q=${encodeURIComponent(JSON.stringify(args))}` };
}

const METHODS: ReadonlyMap<string, Probe['method']> = new Map<string, Probe['method']>([
  ['create', 'POST'],
  ['createManyAndReturn', 'POST'],
  ['upsert', 'POST'],
  ['update', 'PATCH'],
  ['updateMany', 'PATCH'],
  ['updateManyAndReturn', 'PATCH'],
  ['delete', 'DELETE'],
  ['deleteMany', 'DELETE'],
]);

/** The same call in a batch: as its only operation, or before one that undoes it. */
export function asBatch({ surface, expect, call, undoneBy }: RpcProbe): Probe {
  return { ...batchProbe(`batch: ${surface}`, [call, ...(undoneBy ? [undoneBy] : [])], expect), root: call.delegate };
}

/** Calls as one transaction. */
export function batchProbe(surface: string, calls: readonly RpcProbeCall[], expect: Probe['expect']): Probe {
  const body = calls.map(({ delegate, operation, args }) => ({ model: delegate, op: operation, args }));
  return { surface, style: 'rpc', method: 'POST', path: '/$transaction/sequential', body, expect };
}
