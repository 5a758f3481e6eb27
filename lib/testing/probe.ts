import type { ApiStyle } from '../options/api-style.js';
import type { CompiledOptions } from '../module/compile-options.js';

/** The arguments of a call. */
export type Args = Readonly<Record<string, unknown>>;

/** One request that must be refused before it reaches the data layer, or must not reveal the field. */
export interface Probe {
  /** Name in the report, e.g. `user/findMany orderBy.passwordHash`. */
  readonly surface: string;
  readonly style: ApiStyle;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below the mount path of the style. */
  readonly path: string;
  readonly body?: unknown;
  /** `refusal`: the request contains the name of the field and must be refused. `silence`: it does not, so the response must not contain it. */
  readonly expect: 'refusal' | 'silence';
  /** Prefix that an error's pointer must have, because the request has a second fault. */
  readonly pointer?: string;
  /** Marks an ordinary request on the model itself, which must succeed. */
  readonly control?: true;
  /** Marks a request for the description of the API, which must not name the field. */
  readonly describes?: true;
  /** Delegate of the rows in the result of an RPC call. */
  readonly root?: string;
}

/** The response to a probe. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Parses the body of a response; undefined if it is not JSON. */
export function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The settings of an API that probes depend on. */
export interface ProbeSettings {
  /** Separator of the parts of compound ids in REST. */
  readonly divider: string;
  /** Number of rows that a probe requests. */
  readonly rows: number;
}

/** Default number of rows. Several are needed, because rows may differ in what they reveal. */
const ROWS = 5;

export function probeSettings({ rest, limits }: CompiledOptions): ProbeSettings {
  return { divider: rest?.idDivider ?? '_', rows: Math.min(ROWS, rest?.maxPageSize ?? ROWS, limits.maxTake) };
}

/** Builds a `GET` request of the REST style with the name of the field. */
export function restProbe(path: string): Probe {
  return { surface: decodeURIComponent(path), style: 'rest', method: 'GET', path, expect: 'refusal' };
}

/** A call of the RPC style with the name of the field. {@link asBatch} converts it to a batch. */
export interface RpcProbe extends Probe {
  /** Marks a place that is already probed with another operator. It is not sent in a batch. */
  readonly isVariant?: true;
  readonly call: RpcProbeCall;
  /** A call that fails and thereby rolls back the probe. Both are sent only together in a batch. */
  readonly undoneBy?: RpcProbeCall;
}

/** An operation with its model and its arguments. */
export interface RpcProbeCall {
  readonly delegate: string;
  readonly operation: string;
  readonly args: Args;
}

/**
 * Builds a probe of an RPC operation.
 *
 * @param slot place of the field in the arguments, for the report
 */
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

/** Builds a batch of the call alone, or of the call and the one that rolls it back. */
export function asBatch({ surface, expect, call, undoneBy }: RpcProbe): Probe {
  return { ...batchProbe(`batch: ${surface}`, [call, ...(undoneBy ? [undoneBy] : [])], expect), root: call.delegate };
}

/** Builds a batch that runs the calls in one transaction. */
export function batchProbe(surface: string, calls: readonly RpcProbeCall[], expect: Probe['expect']): Probe {
  const body = calls.map(({ delegate, operation, args }) => ({ model: delegate, op: operation, args }));
  return { surface, style: 'rpc', method: 'POST', path: '/$transaction/sequential', body, expect };
}
