import { match, type Table } from '../query/match.js';
import type { Row } from '../query/result.js';
import type { Verb, WrittenRecord, WrittenRelation } from '../query/write.js';
import { keyPlaceOf } from './key-place.js';
import type { ReferredRow } from './link-columns.js';
import { JoinLink, type Link, OwnLink, type Owner, Pending, TargetLink } from './links.js';
import { missingRow } from './refusals.js';
import { rowText } from './rows.js';
import type { RowWriter } from './row-writer.js';

/** The relations that a record is written through, by the place of their keys. */
export interface SplitRelations {
  /** Those whose key the row holds. */
  readonly own: readonly WrittenRelation[];
  readonly others: readonly WrittenRelation[];
}

export function splitRelations({ relations }: WrittenRecord): SplitRelations {
  const isOwn = ({ relation }: WrittenRelation): boolean => keyPlaceOf(relation).kind === 'own';
  return { own: relations.filter(isOwn), others: relations.filter((through) => !isOwn(through)) };
}

/** Writes what a row refers to, before the row itself. */
export async function writeOwn(writer: RowWriter, owner: Owner, relations: readonly WrittenRelation[]): Promise<Pending> {
  const pending = new Pending();
  for (const through of relations) await writeVerbs(through, new OwnLink(writer, through, owner, pending));
  return pending;
}

/** Writes through relations whose keys others hold, once the row itself is written. */
export async function writeOthers(writer: RowWriter, parent: ReferredRow, relations: readonly WrittenRelation[]): Promise<void> {
  for (const through of relations) {
    const isJoined = keyPlaceOf(through.relation).kind === 'join-table';
    await writeVerbs(through, isJoined ? new JoinLink(writer, through, parent) : new TargetLink(writer, through, parent));
  }
}

/** Whatever the place of the key, it is done by the same steps. */
async function writeVerbs({ verbs }: WrittenRelation, link: Link): Promise<void> {
  for (const verb of verbs) await match(VERBS, verb, link);
}

const VERBS: Table<Verb, [Link], Promise<void>> = {
  'create-related': ({ record }, link) => link.create(record),
  'create-many-related': ({ records, skipDuplicates }, link) => link.createMany(records, skipDuplicates),
  'connect': async ({ row }, link) => link.attach(await link.writer.findNamed(link.target, row)),
  'connect-or-create': async ({ row, record }, link) => {
    const found = await link.writer.find(link.target, row);
    await (found ? link.attach(found) : link.create(record));
  },
  'disconnect': ({ row }, link) => link.disconnect(row),
  'set': setLinks,
  'update-related': async ({ row, record }, link) => {
    const linked = await link.find(row);
    if (!linked) throw missingRow(link.target.model);
    await link.writer.update(linked, record);
  },
  'update-many-related': async ({ where, record }, link) => {
    await link.writer.updateMany(link.scoped(where), record);
  },
  'upsert-related': async ({ row, create, update }, link) => {
    const linked = await link.find(row);
    await (linked ? link.writer.update(linked, update) : link.create(create));
  },
  'delete-related': async ({ row }, link) => {
    const linked = await link.find(row);
    if (!linked) throw missingRow(link.target.model);
    await link.remove(linked);
  },
  'delete-many-related': async ({ where }, link) => {
    await link.writer.deleteMany(link.target, link.scoped(where));
  },
};

/** Rows that may not be read stay where they are. */
async function setLinks({ rows }: Verb & { readonly kind: 'set' }, link: Link): Promise<void> {
  const { writer, target } = link;
  // A row that is named twice is linked once.
  const wanted = new Map<string, Row>();
  for (const named of rows) {
    const row = await writer.findNamed(target, named);
    wanted.set(rowText(target, row), row);
  }
  const linked = await link.findAll();
  const linkedTexts = new Set(linked.map((row) => rowText(target, row)));
  for (const row of linked) if (!wanted.has(rowText(target, row))) await link.detach(row);
  for (const [text, row] of wanted) if (!linkedTexts.has(text)) await link.attach(row);
}
