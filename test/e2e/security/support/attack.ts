import { type Method, type OutgoingRequest } from '../../../support/send-request.js';

/** One request that must be refused, and how. */
export interface Attack {
  /** Row of the table in `docs/security.md`. */
  readonly row: number;
  /** What is tried, in words. */
  readonly name: string;
  readonly request: RestAttack | RpcAttack | RawRpcAttack;
  /** Any of them will do. @default 400 */
  readonly status?: number | readonly number[];
  /** What the database may be asked: nothing at all, or nothing that changes a row. @default 'nothing' */
  readonly sql?: 'nothing' | 'no writes';
}

export interface RestAttack {
  readonly style: 'REST';
  readonly method: Method;
  /** Below the API's prefix. */
  readonly path: string;
  readonly body?: unknown;
}

/** Runs twice: by itself, and as the second operation of a batch. */
export interface RpcAttack {
  readonly style: 'RPC';
  /** `model/operation` */
  readonly operation: string;
  readonly args?: unknown;
}

/** A request to the RPC style as it is, path below its prefix: what no client would send. */
export interface RawRpcAttack extends OutgoingRequest {
  readonly style: 'raw RPC';
}

export type Expected = Pick<Attack, 'status' | 'sql'>;

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
  return { name, request: { style: 'raw RPC', method: 'GET', path: `/${operation}?${new URLSearchParams(query).toString()}` } };
}

/** @param body of a POST, as text */
export function post(name: string, path: string, body: string): Omit<Attack, 'row'> {
  return { name, request: { style: 'raw RPC', method: 'POST', path: `/${path}`, headers: { 'Content-Type': 'application/json' }, body } };
}
