import { unaskedOf, withFields } from '../data-client/selected-keys.js';
import type { StoredForeignKey, StoredRelation } from '../model/storage/storage.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { withConditions } from './condition.js';
import { checkOrder } from './rule-order.js';
import type { RuleSet } from './rule-set.js';
import { ruleWhere } from './rule-where.js';
import type { Where } from './rules-option.js';

type Args = Readonly<Record<string, unknown>>;

/** The arguments of a read or of a written row's answer under the rules, and what they leave to be loaded apart. */
export interface RuledSelection {
  readonly args: Args;
  readonly apart: readonly ApartRelation[];
}

/**
 * A required to-one relation: Prisma has no `where` there. The rows that have it are loaded with the key that refers to it, and what it leads to
 * by a query of its own, under its rule.
 */
export interface ApartRelation {
  /** Relations that lead from a row of the call to those that have it. */
  readonly path: readonly string[];
  readonly name: string;
  readonly target: string;
  readonly key: StoredForeignKey;
  /** Its own selection; undefined where nothing of it may be read. */
  readonly args: Args | undefined;
  /** Fields of the key that were not asked for. */
  readonly added: readonly string[];
}

/** What comes back of a row, under the rules: `select` or `include` among the arguments of a call. */
export function ruleSelection(rules: RuleSet, model: string, args: Args): RuledSelection {
  const slot = args['select'] === undefined ? 'include' : 'select';
  const given = args[slot] as Args | undefined;
  if (!given) return { args, apart: [] };
  const { members, apart } = ruleMembers(rules, model, given);
  const unasked = new Map(apart.filter(({ path }) => path.length === 0).map((one) => [one, unaskedOf(args, one.key.fields)]));
  const selection = withFields({ ...args, [slot]: members }, [...unasked.values()].flat());
  return { args: { ...selection }, apart: apart.map((one) => ({ ...one, added: unasked.get(one) ?? one.added })) };
}

interface RuledMembers {
  readonly members: Args;
  readonly apart: readonly ApartRelation[];
}

function ruleMembers(rules: RuleSet, model: string, selection: Args): RuledMembers {
  const members: Record<string, unknown> = {};
  const apart: ApartRelation[] = [];
  for (const [name, value] of Object.entries(selection)) {
    const ruled = ruleMember({ rules, model, name }, value);
    if ('args' in ruled) members[name] = ruled.args;
    apart.push(...ruled.apart);
  }
  return { members, apart };
}

interface Member {
  readonly rules: RuleSet;
  readonly model: string;
  readonly name: string;
}

interface RuledMember {
  /** Absent where it is loaded apart. */
  readonly args?: unknown;
  readonly apart: readonly ApartRelation[];
}

function ruleMember({ rules, model, name }: Member, value: unknown): RuledMember {
  const relation = rules.relation(model, name);
  if (name === '_count' && !rules.model(model).fields.has(name)) return { args: ruleCount(rules, model, value), apart: [] };
  if (!relation || value === false) return { args: value, apart: [] };
  const args: Args = value === true ? {} : (value as Args);
  const { many, optional, target } = relation;
  if (!many && !optional && rules.of(target, 'read') !== true) return { apart: [apartRelation(rules, relation, args)] };
  const ruled = ruleRelation(rules, target, args);
  return { args: ruled.args, apart: ruled.apart.map((one) => ({ ...one, path: [name, ...one.path] })) };
}

function apartRelation(rules: RuleSet, { name, target, foreignKey: key }: StoredRelation, args: Args): ApartRelation {
  if (!key) throw new TypeError(`The required relation '${name}' has no key of its own.`);
  return { path: [], name, target, key, args: rules.of(target, 'read') === false ? undefined : args, added: [] };
}

function ruleRelation(rules: RuleSet, target: string, args: Args): RuledSelection {
  checkOrder(rules, target, args['orderBy']);
  const ruled = ruleSelection(rules, target, args);
  const where = readableWhere(rules, target, args['where'] as Where | undefined);
  return { ...ruled, args: { ...ruled.args, ...(where && { where }) } };
}

/** A filter of the caller's on rows that may be read; undefined where there is nothing to filter by. */
export function readableWhere(rules: RuleSet, model: string, given: Where | undefined): Where | undefined {
  const readable = rules.where(model, 'read');
  if (given === undefined) return readable;
  return withConditions(ruleWhere(rules, model, given), [readable]);
}

/** Counts the related rows that may be read. */
function ruleCount(rules: RuleSet, model: string, value: unknown): unknown {
  if (value === false) return value;
  if (!isPlainObject(value) || !isPlainObject(value['select'])) throw new TypeError('A count is asked for without saying of what.');
  const counted = Object.entries(value['select']).map(([name, wanted]) => {
    const relation = rules.relation(model, name);
    if (!relation || wanted === false) return [name, wanted] as const;
    const { where } = (wanted === true ? {} : wanted) as { readonly where?: Where };
    const all = readableWhere(rules, relation.target, where);
    return [name, all ? { where: all } : true] as const;
  });
  return { ...value, select: Object.fromEntries(counted) };
}
