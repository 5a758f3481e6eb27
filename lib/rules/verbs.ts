import { match, type Table } from '../query/match.js';
import type { Row } from '../query/result.js';
import { keyPlaceOf, type LinkedRow, type Verb, type WrittenRecord, type WrittenRelation } from '../query/write.js';
import type { ReferencedRow } from './link-keys.js';
import { JoinLink, type Link, OwnLink, type Pending, TargetLink } from './links.js';
import { rejectReplacedValues } from './records.js';
import { missingRow } from './refusals.js';
import { rowText } from './rows.js';
import type { RowWriter } from './row-writer.js';

/** Whether the row itself has the foreign key of a relation. */
export function isOwn({ relation }: WrittenRelation): boolean {
  return keyPlaceOf(relation).kind === 'own';
}

/** Writes the rows that a row references, before the row itself. */
export async function writeOwn(writer: RowWriter, owner: Pending, { fields, relations }: WrittenRecord): Promise<Pending> {
  for (const through of relations) {
    const place = keyPlaceOf(through.relation);
    if (place.kind === 'own') await writeVerbs(through, new OwnLink(writer, through, place.key, owner));
  }
  rejectReplacedValues(fields, owner.columns);
  return owner;
}

/** Writes the rows that reference a row, or are paired with it in a join table, after the row itself. */
export async function writeOthers(writer: RowWriter, parent: ReferencedRow, { relations }: WrittenRecord): Promise<void> {
  for (const through of relations) {
    const place = keyPlaceOf(through.relation);
    if (place.kind === 'target') await writeVerbs(through, new TargetLink(writer, through, place.key, parent));
    if (place.kind === 'join-table') await writeVerbs(through, new JoinLink(writer, through, parent));
  }
}

/** Executes the verbs of a relation. The steps are the same for every place of the foreign key. */
async function writeVerbs({ verbs }: WrittenRelation, link: Link): Promise<void> {
  for (const verb of verbs) await match(VERBS, verb, link);
}

const VERBS: Table<Verb, [Link], Promise<void>> = {
  'create-related': ({ record }, link) => link.create(record),
  'create-many-related': ({ records, skipDuplicates }, link) => link.createMany(records, skipDuplicates),
  'connect': async ({ row }, link) => link.attach(await link.writer.findNamed(link.target, row)),
  'connect-or-create': async ({ row, record }, link) => {
    const found = await link.writer.find(link.target, row);
    await (found ? link.attach(row.more.kind === 'always' ? found : await link.writer.findNamed(link.target, row)) : link.create(record));
  },
  'disconnect': ({ row }, link) => link.disconnect(row),
  'set': setLinks,
  'update-related': async ({ row, record }, link) => {
    // As in Prisma, an update without data needs no row.
    const found = isEmpty(record) ? await link.find(row) : await findLinked(link, row);
    if (found) await link.writer.update(found, record);
  },
  'update-many-related': async ({ where, record }, link) => {
    await link.writer.updateMany(link.scoped(where), record);
  },
  'upsert-related': async ({ row, create, update }, link) => {
    const found = await link.peek(row);
    await (found ? link.writer.update(link.isLocked(row) ? await findLinked(link, row) : found, update) : link.create(create));
  },
  'delete-related': async ({ row }, link) => {
    await link.remove(await findLinked(link, row));
  },
  'delete-many-related': async ({ where }, link) => {
    await link.writer.deleteMany(link.target, link.scoped(where));
  },
};

function isEmpty({ fields, relations }: WrittenRecord): boolean {
  return fields.length === 0 && relations.length === 0;
}

/**
 * Finds the linked row that a verb names.
 *
 * @throws ApiError if no linked row matches
 */
async function findLinked(link: Link, row: LinkedRow): Promise<Row> {
  const linked = await link.find(row);
  if (!linked) throw missingRow(link.target.model);
  return linked;
}

/** Replaces the links of a row. Linked rows that the caller may not read stay linked. */
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
