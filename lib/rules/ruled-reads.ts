import type { StoredModel } from '../model/storage/storage.js';
import { type Condition, NEVER, type UniqueCondition } from '../query/condition.js';
import { selectionOf } from '../query/fields.js';
import { match, type Table } from '../query/match.js';
import type { Order } from '../query/order.js';
import type { Read } from '../query/read.js';
import type { Row } from '../query/result.js';
import type { Member, Page, Selection } from '../query/selection.js';
import { loadApart } from './load-apart.js';
import { keyFields, type Session } from './rows.js';
import { readableRows, ruledRow } from './ruled-condition.js';
import { checkOrder } from './ruled-order.js';
import { type ApartRelation, ruledSelection } from './ruled-selection.js';
import type { RuleSet } from './rule-set.js';

/** Reads under the rules: rows, counts, aggregates and groups. */
export async function readRuled(session: Session, query: Read): Promise<unknown> {
  const ruled = ruledRead(session.rules, await settleCursors(session, query));
  return completeRows(session, await session.host.run(ruled.query), ruled.apart);
}

/** The rows of a result with what its query left to be loaded apart. */
export async function completeRows(session: Session, result: unknown, apart: readonly ApartRelation[]): Promise<unknown> {
  if (apart.length === 0) return result;
  return loadApart(async (query) => (await readRuled(session, query)) as readonly Row[], result, apart);
}

/** A query under the rules, and what it leaves to be loaded apart. */
export interface RuledRead {
  readonly query: Read;
  readonly apart: readonly ApartRelation[];
}

/** A read under the rules. Its cursors are taken for rows that may be read. */
export function ruledRead(rules: RuleSet, query: Read): RuledRead {
  return match(READS, query, rules);
}

interface Rows {
  readonly model: StoredModel;
  readonly where: Condition;
  readonly order: Order;
  readonly page: Page;
}

function ruledRows<Asked extends Rows>(query: Asked, rules: RuleSet): Asked {
  checkOrder(rules, query.model, query.order);
  return Object.freeze({ ...query, where: readableRows(rules, query.model, query.where) });
}

const READS: Table<Read, [RuleSet], RuledRead> = {
  'find-unique': (query, rules) => {
    const { selection, apart } = ruledSelection(rules, query.selection);
    return { query: Object.freeze({ ...query, where: readableRow(rules, query.model, query.where), selection }), apart };
  },
  'find': (query, rules) => {
    const { selection, apart } = ruledSelection(rules, query.selection);
    return { query: Object.freeze({ ...ruledRows(query, rules), selection }), apart };
  },
  'count': (query, rules) => ({ query: ruledRows(query, rules), apart: [] }),
  'aggregate': (query, rules) => ({ query: ruledRows(query, rules), apart: [] }),
  'group-by': (query, rules) => ({ query: ruledRows(query, rules), apart: [] }),
};

/** A row that the caller names, if it may be read. */
export function readableRow(rules: RuleSet, model: StoredModel, row: UniqueCondition): UniqueCondition {
  return ruledRow(rules, row, rules.of(model, 'read'));
}

/** Whether a list that is read begins at a row that the client names. */
export function hasCursor(query: Partial<Pick<Rows, 'page'>> & { readonly selection?: Selection }): boolean {
  if (query.page?.cursor) return true;
  return query.selection?.members.some((member) => 'selection' in member && hasCursor(member)) ?? false;
}

/** A list that begins at a row that may not be read is empty, as one that begins at no row. */
async function settleCursors(session: Session, query: Read): Promise<Read> {
  if (!hasCursor(query)) return query;
  switch (query.kind) {
    case 'find-unique':
      return { ...query, selection: await settleSelection(session, query.selection) };
    case 'find':
      return { ...query, ...(await settleCursor(session, query.model, query)), selection: await settleSelection(session, query.selection) };
    case 'count':
    case 'aggregate':
    case 'group-by':
      return { ...query, ...(await settleCursor(session, query.model, query)) };
  }
}

async function settleSelection(session: Session, selection: Selection): Promise<Selection> {
  const members: Member[] = [];
  for (const member of selection.members) members.push(await settleMember(session, member));
  return selectionOf(selection.model, members);
}

async function settleMember(session: Session, member: Member): Promise<Member> {
  if (!('selection' in member) || !hasCursor(member)) return member;
  const selection = await settleSelection(session, member.selection);
  return member.kind === 'one'
    ? { ...member, selection }
    : { ...member, ...(await settleCursor(session, member.target, member)), selection };
}

async function settleCursor(
  session: Session,
  model: StoredModel,
  { page: { cursor }, where }: Pick<Rows, 'page' | 'where'>,
): Promise<Pick<Rows, 'where'>> {
  const [key, ...keys] = cursor ?? [];
  return { where: !key || (await isReadable(session, model, [key, ...keys])) ? where : NEVER };
}

async function isReadable({ host, rules }: Session, model: StoredModel, keys: UniqueCondition['keys']): Promise<boolean> {
  if (rules.isOpen(model)) return true;
  const where = { keys, more: rules.of(model, 'read') };
  const row = await host.run({ kind: 'find-unique', model, where, selection: keyFields(model), isRequired: false });
  return row !== null;
}
