import type { StoredForeignKey, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { Condition, KeyCondition, OneCondition, QuantifiedCondition, UniqueCondition } from './condition.js';
import { match, type Table } from './match.js';
import type { Order, OrderTerm } from './order.js';
import type { Query } from './query.js';
import type { AggregateMember, CountedValues } from './read.js';
import { type Member, nameOf, type Page, type Selection } from './selection.js';
import { isUnique, type LinkedRow, type Verb, type WrittenField, type WrittenRecord, type WrittenRelation } from './write.js';

/** One action of a query on the rows of one model, at any depth. */
export interface Access {
  /** Prisma's name of the model. */
  readonly model: string;
  readonly action: 'read' | 'create' | 'update' | 'delete';
  /** Prisma's names of the fields and relations that the query reads, compares, sorts by or writes. */
  readonly fields: readonly string[];
}

/**
 * Returns every action of a query, on its own model and on others: through conditions, orders, selections and records. A top-level write reads the
 * row of its key only if it adds a condition on the row, or selects members of it.
 */
export function accessesOf(query: Query): readonly Access[] {
  return match(QUERIES, query);
}

type Accesses = readonly Access[];

const NONE: Accesses = [];
const none = (): Accesses => NONE;

type Named = Pick<StoredModel, 'model'>;

function access({ model }: Named, action: Access['action'], fields: readonly string[] = []): Accesses {
  return [{ model, action, fields }];
}

function read(model: Named, ...fields: readonly string[]): Accesses {
  return access(model, 'read', fields);
}

interface OfRows {
  readonly model: StoredModel;
  readonly where: Condition;
  readonly order: Order;
  readonly page: Page;
}

function ofRows({ model, where, order, page: { cursor = [], distinct = [] } }: OfRows): Accesses {
  return [
    ...read(model, ...distinct.map(({ name }) => name)),
    ...cursor.flatMap(ofKey),
    ...ofCondition(where, model),
    ...order.flatMap((term) => ofTerm(term, model)),
  ];
}

function ofAggregates(model: StoredModel, aggregates: readonly AggregateMember[]): Accesses {
  return aggregates.flatMap(({ of }) => (of === 'rows' ? NONE : ofCounted(model, of)));
}

function ofCounted(model: StoredModel, counted: readonly CountedValues[] = []): Accesses {
  return read(model, ...counted.flatMap((one) => (one === '_all' ? [] : [one.name])));
}

const QUERIES: Table<Query, [], Accesses> = {
  'find-unique': ({ where, selection }) => [
    ...where.keys.flatMap(ofKey),
    ...ofCondition(where.more, selection.model),
    ...ofSelection(selection),
  ],
  'find': (query) => [...ofRows(query), ...ofSelection(query.selection)],
  'count': (query) => [...ofRows(query), ...ofCounted(query.model, query.counted)],
  'aggregate': (query) => [...ofRows(query), ...ofAggregates(query.model, query.aggregates)],
  'group-by': ({ by, having, aggregates, ...rows }) => [
    ...ofRows(rows),
    ...read(rows.model, ...by.map(({ name }) => name)),
    ...ofCondition(having, rows.model),
    ...ofAggregates(rows.model, aggregates),
  ],
  'create': ({ record, selection }) => [...ofRecord(record), ...ofSelection(selection)],
  'create-many': ({ model, records, selection }) => [...access(model, 'create'), ...records.flatMap(ofRecord), ...ofSelection(selection)],
  'update': ({ where, record, selection }) => [...ofRecord(record), ...ofMore(where, record.model), ...ofSelection(selection)],
  'update-many': ({ where, record, selection }) => [...ofRecord(record), ...ofCondition(where, record.model), ...ofSelection(selection)],
  'upsert': ({ where, create, update, selection }) => [
    ...ofRecord(create),
    ...ofRecord(update),
    ...ofMore(where, create.model),
    ...ofSelection(selection),
  ],
  'delete': ({ model, where, selection }) => [...access(model, 'delete'), ...ofMore(where, model), ...ofSelection(selection)],
  'delete-many': ({ model, where }) => [...access(model, 'delete'), ...ofCondition(where, model)],
};

function ofKey({ model, key }: KeyCondition): Accesses {
  return read(model, ...key.fields);
}

/** Returns the accesses of the condition beside the key. The key of a write is not a read, because it only names the row. */
function ofMore({ more }: UniqueCondition, model: StoredModel): Accesses {
  return ofCondition(more, model);
}

function ofCondition(condition: Condition, model: StoredModel): Accesses {
  return match(CONDITIONS, condition, model);
}

interface OfField {
  readonly field: { readonly name: string };
}
interface OfParts {
  readonly conditions: readonly Condition[];
}

const ofField = ({ field }: OfField, model: StoredModel): Accesses => read(model, field.name);
const ofParts = ({ conditions }: OfParts, model: StoredModel): Accesses => conditions.flatMap((part) => ofCondition(part, model));
const ofRelated = ({ relation, target, condition }: QuantifiedCondition | OneCondition, model: StoredModel): Accesses => [
  ...read(model, relation.name),
  ...read(target),
  ...ofCondition(condition, target),
];

const CONDITIONS: Table<Condition, [StoredModel], Accesses> = {
  always: none,
  never: none,
  and: ofParts,
  or: ofParts,
  not: ({ condition }, model) => ofCondition(condition, model),
  compare: ofField,
  list: ofField,
  json: ofField,
  key: ofKey,
  some: ofRelated,
  every: ofRelated,
  none: ofRelated,
  is: ofRelated,
  isNot: ofRelated,
};

function ofTerm(term: OrderTerm, model: StoredModel): Accesses {
  switch (term.kind) {
    case 'field-term':
      return ofPath(term.path, model, [term.field.name]);
    case 'relevance-term':
      return ofPath(
        term.path,
        model,
        term.fields.map(({ name }) => name),
      );
    case 'count-term':
      return ofPath([...term.path, term.counted], model, []);
    case 'aggregate-term':
      return read(model, term.field.name);
  }
}

function ofPath(
  [hop, ...rest]: readonly { readonly relation: StoredRelation; readonly target: StoredModel }[],
  model: StoredModel,
  fields: readonly string[],
): Accesses {
  return hop ? [...read(model, hop.relation.name), ...ofPath(rest, hop.target, fields)] : read(model, ...fields);
}

function ofSelection(selection: Selection | undefined): Accesses {
  if (!selection || selection.members.length === 0) return NONE;
  const { model, members } = selection;
  const names = members.flatMap((member) =>
    member.kind === 'counts' ? member.counts.map(({ relation }) => relation.name) : nameOf(member),
  );
  return [...read(model, ...names), ...members.flatMap((member) => match(MEMBERS, member))];
}

const MEMBERS: Table<Member, [], Accesses> = {
  field: none,
  computed: none,
  one: ({ target, where, selection }) => [...read(target), ...ofCondition(where, target), ...ofSelection(selection)],
  many: ({ target, selection, ...rows }) => [...ofRows({ ...rows, model: target }), ...ofSelection(selection)],
  counts: ({ counts }) => counts.flatMap(({ target, where }) => [...read(target), ...ofCondition(where, target)]),
};

function ofRecord({ model, action, fields, relations }: WrittenRecord): Accesses {
  const columns = relations.flatMap(({ relation }) => relation.foreignKey?.fields ?? []);
  const names = [...fields.map(({ field }) => field.name), ...relations.map(({ relation }) => relation.name), ...columns];
  const referred = [...model.relations.values()].flatMap(({ target, foreignKey: key }) =>
    key && givenColumn(key, fields) !== undefined ? read({ model: target }, ...key.references) : NONE,
  );
  return [...access(model, action, names), ...referred, ...relations.flatMap(ofRelation)];
}

/**
 * Returns the first column of a foreign key whose value the client has given; undefined without one. Values that the client cannot choose do not
 * count (`isSettled`).
 */
export function givenColumn({ fields }: StoredForeignKey, given: readonly WrittenField[]): string | undefined {
  return fields.find((name) => given.some(({ field, isSettled }) => field.name === name && !isSettled));
}

function ofRelation({ relation, target, verbs }: WrittenRelation): Accesses {
  return verbs.flatMap((verb) => [...linked(verb, relation, target), ...match(VERBS, verb, target)]);
}

/** Returns the accesses of linking and unlinking. If the target's table holds the foreign key, linking updates the target row. */
function linked({ kind }: Verb, { many, referredBy }: StoredRelation, target: StoredModel): Accesses {
  const effect = EFFECTS[kind];
  const isLink = effect === 'links';
  const changes = referredBy && (isLink || (!many && effect === 'replaces')) ? access(target, 'update', referredBy.fields) : NONE;
  return isLink ? [...changes, ...read(target)] : changes;
}

/** What a verb does to links: `links` links or unlinks existing rows, and the row of `replaces` replaces the previous one of a to-one relation. */
const EFFECTS: Readonly<Record<Verb['kind'], 'links' | 'replaces' | 'none'>> = {
  'create-related': 'replaces',
  'create-many-related': 'none',
  'connect': 'links',
  'connect-or-create': 'links',
  'disconnect': 'links',
  'set': 'links',
  'update-related': 'none',
  'update-many-related': 'none',
  'upsert-related': 'replaces',
  'delete-related': 'none',
  'delete-many-related': 'none',
};

function ofRow(row: LinkedRow, target: StoredModel): Accesses {
  return isUnique(row) ? [...row.keys.flatMap(ofKey), ...ofMore(row, target)] : ofCondition(row, target);
}

const VERBS: Table<Verb, [StoredModel], Accesses> = {
  'create-related': ({ record }) => ofRecord(record),
  'create-many-related': ({ records }, target) => [...access(target, 'create'), ...records.flatMap(ofRecord)],
  'connect': ({ row }, target) => ofRow(row, target),
  'connect-or-create': ({ row, record }, target) => [...ofRow(row, target), ...ofRecord(record)],
  'disconnect': ({ row }, target) => ofRow(row, target),
  'set': ({ rows }, target) => rows.flatMap((row) => ofRow(row, target)),
  'update-related': ({ row, record }, target) => [...ofRecord(record), ...ofRow(row, target)],
  'update-many-related': ({ where, record }, target) => [...ofRecord(record), ...ofCondition(where, target)],
  'upsert-related': ({ row, create, update }, target) => [...ofRecord(create), ...ofRecord(update), ...ofRow(row, target)],
  'delete-related': ({ row }, target) => [...access(target, 'delete'), ...ofRow(row, target)],
  'delete-many-related': ({ where }, target) => [...access(target, 'delete'), ...ofCondition(where, target)],
};
