import { ApiError } from '../../errors/api-error.js';
import { selectionOf } from '../../query/fields.js';
import { rowKey, sameRow } from '../../query/key.js';
import type { FindUnique, RowsRead } from '../../query/read.js';
import { isRow, isRows, type ResultOf, type Row, rowsOf } from '../../query/result.js';
import { isWindow, type ManyMember, type Member, nameOf, relatedMembers, type Selection } from '../../query/selection.js';
import type { Executor } from '../executor.js';
import type { AtMost } from '../plan.js';
import { selectKeys } from './select-keys.js';

/** Maximum number of windows (pages of included lists) in one request. Each of them takes a statement. */
const MAX_WINDOWS = 500;

/** A function that runs reads without windows. */
type Read = <Q extends RowsRead>(executor: Executor, read: Q, limit: AtMost | undefined) => Promise<ResultOf<Q>>;

/**
 * Runs a read, and loads each window of a list by a separate statement with a `LIMIT`. Prisma would load all rows of the lists by one statement, and
 * cut them in memory (PI-08).
 *
 * @param read runs the reads without windows
 * @throws ApiError for more related rows than the limit, and for too many windows
 */
export async function loadWindows<Q extends RowsRead>(
  executor: Executor,
  query: Q,
  { limit, read }: { readonly limit: AtMost | undefined; readonly read: Read },
): Promise<ResultOf<Q>> {
  const loader = new WindowLoader(executor, limit, read);
  const { selection } = query;
  const result = await read(executor, { ...query, selection: withoutWindows(selection) }, limit);
  const rows: Row[] = [];
  for (const row of rowsOf(result)) rows.push(await loader.complete(row, selection));
  // These are the rows of the read, completed with their windows.
  return (Array.isArray(result) ? rows : (rows[0] ?? result)) as ResultOf<Q>;
}

/** Whether a read has windows of several rows. For one row by its key, Prisma's own statement stops at the end of each window. */
export function hasOpenWindows({ kind, selection }: RowsRead): boolean {
  if (kind !== 'find-unique') return hasWindows(selection);
  return relatedMembers(selection).some((member) => hasWindows(member.selection));
}

/** Whether a selection has windows, at any depth. */
function hasWindows(selection: Selection): boolean {
  return relatedMembers(selection).some((member) => isWindow(member) || hasWindows(member.selection));
}

/** Returns the selection without its windows, and with the keys of the rows that have windows. */
function withoutWindows(selection: Selection): Selection {
  if (!hasWindows(selection)) return selection;
  const { model, members } = selection;
  const others = members.filter((member) => !isWindow(member)).map((member) => withoutInner(member));
  const plain = selectionOf(model, others);
  return others.length < members.length ? selectKeys(plain, rowKey(model).fields).selection : plain;
}

function withoutInner(member: Member): Member {
  return 'selection' in member ? Object.freeze({ ...member, selection: withoutWindows(member.selection) }) : member;
}

class WindowLoader {
  private windows = 0;
  private rows = 0;

  constructor(
    private readonly executor: Executor,
    private readonly limit: AtMost | undefined,
    private readonly read: Read,
  ) {}

  /** Returns a row with its windows and those of its related rows, in the order of the selection. */
  async complete(row: Row, selection: Selection): Promise<Row> {
    if (!hasWindows(selection)) return row;
    const members: Record<string, unknown> = {};
    for (const member of selection.members) {
      const name = nameOf(member);
      if (isWindow(member)) members[name] = await this.load(row, selection, member);
      else if ('selection' in member) members[name] = await this.completeRelated(row[name], member.selection);
      else if (name in row) members[name] = row[name];
    }
    return members;
  }

  private async completeRelated(related: unknown, selection: Selection): Promise<unknown> {
    if (isRows(related)) return this.completeAll(related, selection);
    return isRow(related) ? this.complete(related, selection) : related;
  }

  private async completeAll(rows: readonly Row[], selection: Selection): Promise<readonly Row[]> {
    const completed: Row[] = [];
    for (const row of rows) completed.push(await this.complete(row, selection));
    return completed;
  }

  private async load(row: Row, { model }: Selection, member: ManyMember): Promise<readonly Row[]> {
    this.windows++;
    if (this.windows > MAX_WINDOWS) throw new ApiError('limit-exceeded', TOO_MANY);
    const window: Member = Object.freeze({ ...member, selection: withoutWindows(member.selection), isWindow: false });
    const selection = selectionOf(model, [window]);
    const find: FindUnique = { kind: 'find-unique', model, where: sameRow(model, row), selection, isRequired: false };
    const owner = await this.read(this.executor, find, this.limit);
    const rows = rowsOf(owner?.[member.relation.name]);
    this.rows += rows.length;
    if (this.limit && this.rows > this.limit.rows) throw ApiError.of([this.limit.problem]);
    return this.completeAll(rows, member.selection);
  }
}

const TOO_MANY = `A request reads at most ${MAX_WINDOWS} windows of included resources. Ask for fewer resources with page.`;
