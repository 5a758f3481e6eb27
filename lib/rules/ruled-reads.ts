import { withConditions } from './condition.js';
import { loadApart, type ReadMany } from './load-apart.js';
import { noRow } from './normalize.js';
import { checkOrder } from './rule-order.js';
import { readableWhere, type RuledSelection, ruleSelection } from './rule-selection.js';
import type { RuleSet } from './rule-set.js';
import type { Where } from './rules-option.js';
import { type Args, callHost, keyOf, type ModelCall, type Row, selectOf, type Session } from './session.js';

/** Reads under the rules: rows, counts, aggregates and groups. */
export async function readRows(session: Session, { model, operation, args }: ModelCall): Promise<unknown> {
  const placed = await settleCursors(session, model, args);
  const ruled = ruleRead(session.rules, { model, operation, args: placed });
  const result = await callHost(session, { model, operation, args: ruled.args });
  return completeRows(session, result, ruled);
}

/** The rows of a call with what it left to be loaded apart. */
export function completeRows(session: Session, result: unknown, { apart }: Pick<RuledSelection, 'apart'>): unknown {
  if (apart.length === 0) return result;
  const read: ReadMany = async (model, args) => (await readRows(session, { model, operation: 'findMany', args })) as readonly Row[];
  return loadApart(read, result, apart);
}

/** The arguments of a read under the rules. Its cursors are taken for rows that may be read. */
export function ruleRead(rules: RuleSet, { model, operation, args }: ModelCall): RuledSelection {
  checkOrder(rules, model, args['orderBy']);
  const where = readableWhere(rules, model, args['where'] as Where | undefined);
  // The `select` of a count names fields alone.
  const { args: ruled, apart } = operation.startsWith('find') ? ruleSelection(rules, model, args) : { args, apart: [] };
  return { args: { ...ruled, ...(where && { where }) }, apart };
}

/** Whether a list of the arguments begins at a row that the client names. */
export function hasCursor(args: Args): boolean {
  if (args['cursor'] !== undefined) return true;
  return [args['select'], args['include']].some((selection) => {
    const members = Object.values((selection ?? {}) as Args);
    return members.some((value) => typeof value === 'object' && value !== null && hasCursor(value as Args));
  });
}

/** A list that begins at a row that may not be read is empty, as one that begins at no row. */
async function settleCursors(session: Session, model: string, args: Args): Promise<Args> {
  if (!hasCursor(args)) return args;
  const isFound = await isReadable(session, model, args['cursor'] as Where | undefined);
  const settled: Record<string, unknown> = { ...args, ...(!isFound && { where: noRow(session.rules.storage, model) }) };
  for (const slot of ['select', 'include']) {
    const members = Object.entries((args[slot] ?? {}) as Args);
    const walked: (readonly [string, unknown])[] = [];
    for (const [name, value] of members) {
      const relation = session.rules.relation(model, name);
      const inner =
        relation && typeof value === 'object' && value !== null ? await settleCursors(session, relation.target, value as Args) : value;
      walked.push([name, inner]);
    }
    if (walked.length > 0) settled[slot] = Object.fromEntries(walked);
  }
  return settled;
}

async function isReadable(session: Session, model: string, cursor: Where | undefined): Promise<boolean> {
  const readable = session.rules.where(model, 'read');
  if (cursor === undefined || !readable) return true;
  const args = { where: withConditions(cursor, [readable]), select: selectOf(keyOf(session, model).fields) };
  return (await callHost(session, { model, operation: 'findUnique', args })) !== null;
}
