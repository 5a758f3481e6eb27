import { encodeFieldValues } from '../executor/loading/count-list.js';
import type { DataCall, Plan } from '../executor/plan.js';
import { selectKeys } from '../executor/loading/select-keys.js';
import type { StoredModel } from '../model/storage/storage.js';
import { NEVER, type UniqueCondition } from '../query/condition.js';
import { isAmong, selectionOf } from '../query/fields.js';
import { sameRow } from '../query/key.js';
import { match, type Table } from '../query/match.js';
import { isWrite, type Query } from '../query/query.js';
import { findMany, type Find, type Read } from '../query/read.js';
import type { ResultOf, Row } from '../query/result.js';
import type { Member, Selection } from '../query/selection.js';
import { isObject } from '../utils/is-object.js';
import { keyChunks, keyFields, type Session } from './rows.js';
import { readableRows, ruledRow } from './ruled-condition.js';
import { ruledOrder, ruledPage } from './ruled-order.js';
import { type SeparateRelation, ruledSelection } from './ruled-selection.js';
import type { RuleSet } from './rule-set.js';

/** Runs a read under the rules: rows, counts, aggregates and groups. Its result has the same type as without rules. */
export async function readRuled<Q extends Read>(session: Session, query: Q): Promise<ResultOf<Q>>;
export async function readRuled(session: Session, query: Read): Promise<ResultOf<Read>> {
  const ruled = ruledRead(session.rules, await resolveCursors(session, query));
  return completeRows(session, await session.executor.run(ruled.query), ruled.separate);
}

/** Returns a plan of reads with the rules in its queries, for SQL only. */
export function ruledPlan(given: RuleSet, plan: Plan): Plan {
  const rules = given.forSql();
  switch (plan.kind) {
    case 'call':
      return { ...plan, call: ruledCall(rules, plan.call) };
    case 'collection':
      return { ...plan, rows: ruledCall(rules, plan.rows), ...(plan.total && { total: ruledCall(rules, plan.total) }) };
    case 'transaction':
      return { ...plan, calls: plan.calls.map((call) => ruledCall(rules, call)) };
  }
}

/** Adds the rules to the query of a call. The kind of the query does not change. */
function ruledCall<Q extends Query>(rules: RuleSet, call: DataCall<Q>): DataCall<Q>;
function ruledCall(rules: RuleSet, call: DataCall): DataCall {
  const { query, before } = call;
  if (isWrite(query)) throw new TypeError('A plan of reads has no writes.');
  return { ...call, query: ruledRead(rules, query).query, ...(before && { before: before.map((one) => ruledCall(rules, one)) }) };
}

/** A query with the rules, and the relations that are loaded by separate queries. */
interface RuledRead {
  readonly query: Read;
  readonly separate: readonly SeparateRelation[];
}

/** Adds the rules to a read. Its cursors must already name readable rows. */
function ruledRead(rules: RuleSet, query: Read): RuledRead {
  return match(READS, query, rules);
}

type Rows = Pick<Find, 'model' | 'where' | 'order' | 'page'>;

function ruledRows<Q extends Rows>(query: Q, rules: RuleSet): Q {
  const { model, where, order, page } = query;
  const ruled = { where: readableRows(rules, model, where), order: ruledOrder(rules, model, order), page: ruledPage(rules, model, page) };
  return Object.freeze({ ...query, ...ruled });
}

const READS: Table<Read, [RuleSet], RuledRead> = {
  'find-unique': (query, rules) => {
    const { selection, separate } = ruledSelection(rules, query.selection);
    return { query: Object.freeze({ ...query, where: readableRow(rules, query.model, query.where), selection }), separate };
  },
  'find': (query, rules) => {
    const { selection, separate } = ruledSelection(rules, query.selection);
    return { query: Object.freeze({ ...ruledRows(query, rules), selection }), separate };
  },
  'count': (query, rules) => ({ query: ruledRows(query, rules), separate: [] }),
  'aggregate': (query, rules) => ({ query: ruledRows(query, rules), separate: [] }),
  'group-by': (query, rules) => ({ query: ruledRows(query, rules), separate: [] }),
};

/** Compiles the unique condition of a row that the caller names, if the caller may read it. */
export function readableRow(rules: RuleSet, model: StoredModel, row: UniqueCondition): UniqueCondition {
  return ruledRow(rules, row, rules.of(model, 'read'));
}

/** Whether a list in a query begins at a cursor of the client. */
export function hasCursor(query: Partial<Pick<Rows, 'page'>> & { readonly selection?: Selection }): boolean {
  if (query.page?.cursor) return true;
  return query.selection?.members.some((member) => 'selection' in member && hasCursor(member)) ?? false;
}

/** Resolves the cursors of a read. A list whose cursor row may not be read is empty, like one whose cursor row does not exist. */
async function resolveCursors(session: Session, query: Read): Promise<Read> {
  if (!hasCursor(query)) return query;
  switch (query.kind) {
    case 'find-unique':
      return { ...query, selection: await resolveSelection(session, query.selection) };
    case 'find':
      return { ...query, ...(await resolveCursor(session, query)), selection: await resolveSelection(session, query.selection) };
    case 'count':
    case 'aggregate':
    case 'group-by':
      return { ...query, ...(await resolveCursor(session, query)) };
  }
}

async function resolveSelection(session: Session, selection: Selection): Promise<Selection> {
  const members: Member[] = [];
  for (const member of selection.members) members.push(await resolveMember(session, member));
  return selectionOf(selection.model, members);
}

async function resolveMember(session: Session, member: Member): Promise<Member> {
  if (!('selection' in member) || !hasCursor(member)) return member;
  const selection = await resolveSelection(session, member.selection);
  if (member.kind === 'one') return { ...member, selection };
  return { ...member, ...(await resolveCursor(session, { ...member, model: member.target })), selection };
}

/**
 * Reads the row of a cursor under the rules. The cursor of the result is the key of that row. A unique index may be partial, so another key may match
 * hidden rows, too.
 */
async function resolveCursor({ executor, rules }: Session, { model, page, where }: CutRows): Promise<Pick<Rows, 'where' | 'page'>> {
  const [key, ...keys] = page.cursor ?? [];
  if (!key || rules.isOpen(model)) return { where, page };
  const named = { keys: [key, ...keys], more: rules.of(model, 'read') } as const;
  const row = await executor.run({ kind: 'find-unique', model, where: named, selection: keyFields(model), isRequired: false });
  return row === null ? { where: NEVER, page } : { where, page: { ...page, cursor: sameRow(model, row).keys } };
}

type CutRows = Pick<Rows, 'model' | 'page' | 'where'>;

/** Adds the relations that are loaded by separate queries to the rows of a result. */
export async function completeRows<Result>(session: Session, result: Result, separate: readonly SeparateRelation[]): Promise<Result>;
export async function completeRows(session: Session, result: unknown, separate: readonly SeparateRelation[]): Promise<unknown> {
  let loaded = result;
  for (const relation of separate) {
    const found = await findRelated(session, relation, rowsAt(loaded, relation.path));
    loaded = mapRows(loaded, relation.path, (row) => ({ ...row, [relation.name]: found(row) }));
  }
  for (const { path, withoutKey } of separate) loaded = mapRows(loaded, path, withoutKey);
  return loaded;
}

function rowsAt(value: unknown, path: readonly string[]): readonly Row[] {
  if (Array.isArray(value)) return value.flatMap((one) => rowsAt(one, path));
  if (!isObject(value)) return [];
  const [name, ...others] = path;
  return name === undefined ? [value] : rowsAt(value[name], others);
}

function mapRows(value: unknown, path: readonly string[], map: (row: Row) => Row): unknown {
  if (Array.isArray(value)) return value.map((one) => mapRows(one, path, map));
  if (!isObject(value)) return value;
  const [name, ...others] = path;
  return name === undefined ? map(value) : { ...value, [name]: mapRows(value[name], others, map) };
}

async function findRelated(session: Session, relation: SeparateRelation, owners: readonly Row[]): Promise<(owner: Row) => Row | null> {
  const { target, key, selection, isClosed } = relation;
  if (isClosed || owners.length === 0) return () => null;
  const { fields, references } = key;
  const wanted = new Map(
    owners.map((owner) => [
      encodeFieldValues(owner, fields),
      Object.fromEntries(fields.map((name, index) => [references[index] ?? '', owner[name]])),
    ]),
  );
  const keyed = selectKeys(selection, references);
  const found = new Map<string, Row>();
  for (const keys of keyChunks([...wanted.values()])) {
    const where = isAmong(target, references, keys);
    const rows = await readRuled(session, findMany({ model: target, where, selection: keyed.selection }));
    for (const row of rows) found.set(encodeFieldValues(row, references), keyed.withoutKey(row));
  }
  return (owner) => found.get(encodeFieldValues(owner, fields)) ?? null;
}
