import { isPlainObject } from '../wire/is-plain-object.js';
import type { RpcCall } from './parse-rpc-call.js';
import type { RpcResult } from './rpc-operations.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * What a result may hold: what the planned arguments name. What a data client adds to that (an extension with computed fields, a fake that
 * returns whole records) does not leave. A result that holds nothing else is returned itself.
 *
 * @param args the planned arguments, which always select by name
 */
export function pickResult({ operation }: Pick<RpcCall, 'operation'>, args: Members, result: unknown): unknown {
  return PICKS[operation.result](result, args);
}

type Picker = (value: unknown, named: unknown) => unknown;

/** Fields as they are; relations by their own `select`, and so counts. */
const pickMember: Picker = (value, named) => (isPlainObject(named) ? pickRows(value, named['select']) : value);

/** Of the rows of a relation, or of the result itself. */
export const pickRows: Picker = (value, select) => pickEach(value, select, pickMember);

const pickPlain: Picker = (value, named) => (isPlainObject(named) ? pickMembers(value, named, (member) => member) : value);

const pickAggregates: Picker = (value, named) => pickEach(value, named, pickPlain);

const PICKS: Readonly<Record<RpcResult, (result: unknown, args: Members) => unknown>> = {
  'rows': (result, { select }) => pickRows(result, select),
  'row': (result, { select }) => pickRows(result, select),
  'row-or-null': (result, { select }) => pickRows(result, select),
  'affected': (result) => pickPlain(result, { count: true }),
  'count': (result, { select }) => pickPlain(result, select),
  'aggregate': (result, args) => pickAggregates(result, aggregatesOf(args)),
  'groups': (result, args) => {
    const fields = [args['by']].flat().map((name) => [String(name), true] as const);
    return pickAggregates(result, { ...aggregatesOf(args), ...Object.fromEntries(fields) });
  },
};

const AGGREGATES = ['_count', '_avg', '_sum', '_min', '_max'] as const;

function aggregatesOf(args: Members): Members {
  return Object.fromEntries(AGGREGATES.map((name) => [name, args[name]]));
}

/** Of one object or of each in a list. */
function pickEach(value: unknown, named: unknown, pick: Picker): unknown {
  if (!Array.isArray(value)) return pickMembers(value, named, pick);
  const items: readonly unknown[] = value;
  const picked = items.map((item) => pickMembers(item, named, pick));
  return picked.every((item, index) => item === items[index]) ? value : picked;
}

/** The members of an object that are named with anything but false. Whatever is no object is one value of a single name. */
function pickMembers(value: unknown, named: unknown, pick: Picker): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const wanted = isPlainObject(named) ? named : {};
  const entries = Object.entries(value);
  const index = entries.findIndex(([name, member]) => pickMemberOf(wanted, name, { member, pick }) !== member);
  if (index < 0) return value;
  const others = entries.slice(index).flatMap(([name, member]) => {
    const picked = pickMemberOf(wanted, name, { member, pick });
    return picked === LEFT_OUT ? [] : [[name, picked] as const];
  });
  return Object.fromEntries([...entries.slice(0, index), ...others]);
}

const LEFT_OUT = Symbol('left out');

interface Picked {
  readonly member: unknown;
  readonly pick: Picker;
}

function pickMemberOf(wanted: Members, name: string, { member, pick }: Picked): unknown {
  const asked = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
  return asked === undefined || asked === false ? LEFT_OUT : pick(member, asked);
}
