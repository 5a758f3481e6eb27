import { type Method } from '../../../support/send-request.js';

/** One request that must be refused, and how. */
export interface Attack {
  /** Row of the table in `docs/security.md`. */
  readonly row: number;
  /** What is tried, in words. */
  readonly name: string;
  readonly request: RestAttack | RpcAttack;
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

type Expected = Pick<Attack, 'status' | 'sql'>;

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
export function call(name: string, operation: string, args: unknown = undefined): Omit<Attack, 'row'> {
  return { name, request: { style: 'RPC', operation, args } };
}
