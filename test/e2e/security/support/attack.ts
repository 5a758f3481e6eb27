import type { Method, OutgoingRequest } from '../../../support/send-request.js';

/** One request that must be rejected, and its error. */
export interface Attack {
  /** Row of the table in `docs/security.md`. */
  readonly row: number;
  /** The description of the attack. */
  readonly name: string;
  readonly request: RestAttack | RpcAttack | RawRpcAttack;
  /** The allowed statuses. @default 400 */
  readonly status?: number | readonly number[];
  /** The statements that the attack may cause: none at all, or no writes. @default 'nothing' */
  readonly sql?: 'nothing' | 'no writes';
  /** Whether a 400 of REST has a pointer. */
  readonly pointer?: true;
}

export interface RestAttack {
  readonly style: 'REST';
  readonly method: Method;
  /** Below the API's prefix. */
  readonly path: string;
  readonly body?: unknown;
}

/** Runs by itself, and as the second operation of a batch in both of its forms. */
export interface RpcAttack {
  readonly style: 'RPC';
  /** `model/operation` */
  readonly operation: string;
  readonly args?: unknown;
}

/** A raw request to RPC that no client would send, with its path below the prefix. */
export interface RawRpcAttack extends OutgoingRequest {
  readonly style: 'raw RPC';
  /** The attack as an operation of a batch, as JSON. It is sent in both forms of a batch, too. */
  readonly operation?: string;
}

export type Expected = Pick<Attack, 'status' | 'sql' | 'pointer'>;

/**
 * The attacks of one row.
 *
 * @example
 * row(1, [get('a hidden field', '/user?filter[passwordHash]=x'), call('a hidden field', 'user/findMany', { where: { passwordHash: 'x' } })])
 */
export function row(number: number, attacks: readonly Omit<Attack, 'row'>[], expected: Expected = {}): readonly Attack[] {
  return attacks.map((attack) => ({ row: number, ...expected, ...attack }));
}

export function get(name: string, path: string, expected: Expected = {}): Omit<Attack, 'row'> {
  return { name, request: { style: 'REST', method: 'GET', path }, ...expected };
}

export function send(name: string, request: Omit<RestAttack, 'style'>, expected: Expected = {}): Omit<Attack, 'row'> {
  return { name, request: { style: 'REST', ...request }, ...expected };
}

/** @param operation `model/operation` */
export function call(name: string, operation: string, args?: unknown): Omit<Attack, 'row'> {
  return { name, request: { style: 'RPC', operation, args } };
}

/** @param query of a GET, e.g. `{ q: '{"where":' }` */
export function query(name: string, operation: string, query: Readonly<Record<string, string>>): Omit<Attack, 'row'> {
  const path = `/${operation}?${new URLSearchParams(query).toString()}`;
  return { name, request: { style: 'raw RPC', method: 'GET', path, ...inBatch(operation, query['q'] ?? '{}', query['meta']) } };
}

/** @param args of a read or a delete, as text too long for a URL */
export function long(name: string, operation: string, args: string): Omit<Attack, 'row'> {
  const headers = { 'Content-Type': 'application/json', 'X-HTTP-Method-Override': 'GET' };
  const request = { style: 'raw RPC', method: 'POST', path: `/${operation}`, headers, body: args } as const;
  return { name, request: { ...request, ...inBatch(operation, args) } };
}

/** @param body of a POST, as text */
export function post(name: string, path: string, body: string): Omit<Attack, 'row'> {
  const request = { style: 'raw RPC', method: 'POST', path: `/${path}`, headers: { 'Content-Type': 'application/json' }, body } as const;
  return { name, request: { ...request, ...(!path.startsWith('$') && inBatch(path, body)) } };
}

/** Returns the operation of a batch. Invalid JSON, and arguments with metadata, cannot be one. */
function inBatch(path: string, args: string, meta?: string): Pick<RawRpcAttack, 'operation'> {
  const [model, op] = path.split('/');
  return isJson(args) && meta === undefined ? { operation: `{"model":"${model}","op":"${op}","args":${args}}` } : {};
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
