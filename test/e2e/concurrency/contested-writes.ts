import { operationsOf, sendOperations } from '../rest/operations-suite.js';
import type { Send } from './racing-suite.js';

/** Conditions of a client on task 3 beside its key, as `where` of Prisma. */
type More = Readonly<Record<string, unknown>>;

/** Conditions that task 3 meets until the other writer changes it. */
export const CONDITIONS: readonly (readonly [name: string, more: More])[] = [
  ['the version', { version: 1 }],
  ['a field', { title: 'three' }],
  ['a negation', { NOT: { title: 'theirs' } }],
  ['an alternative', { OR: [{ title: 'three' }, { title: 'x' }] }],
  ['a related row', { parent: { is: { title: 'two' } } }],
];

/** The change of task 3 by the other writer. */
export const CHANGE = `UPDATE "Task" SET "title" = 'theirs', "version" = "version" + 1, "parentId" = 1 WHERE "id" = 3`;

/** A change of a column without a condition. */
export const HARMLESS = `UPDATE "Task" SET "code" = 'theirs' WHERE "id" = 3`;

/** `one`: rejected if its row does not meet the condition · `many`: skips such a row. */
export type Reach = 'one' | 'many';

/** A write of task 3 under a condition. */
export type ContestedWrite = readonly [name: string, reach: Reach, send: (more: More) => Send];

const rpc =
  (path: string, args: (row: More) => object) =>
  (more: More): Send =>
  (app) =>
    app.rpc.call(path, args({ id: 3, ...more }));

const TITLE = { title: 'ours' };
/** Values of a record that cannot be created, because another one has the code. */
const CREATE = { title: 'new', code: 'A', owner: { connect: { id: 1 } } };

/** Writes of the record itself, by the operations of RPC. */
const ROOT: readonly ContestedWrite[] = [
  ['update', 'one', rpc('task/update', (where) => ({ where, data: TITLE }))],
  ['update that selects', 'one', rpc('task/update', (where) => ({ where, data: TITLE, include: { owner: true, comments: true } }))],
  ['update that creates', 'one', rpc('task/update', (where) => ({ where, data: { ...TITLE, comments: { create: [{ body: 'ours' }] } } }))],
  ['update that only creates', 'one', rpc('task/update', (where) => ({ where, data: { comments: { create: [{ body: 'ours' }] } } }))],
  ['update that only pairs', 'one', rpc('task/update', (where) => ({ where, data: { labels: { connect: { id: 2 } } } }))],
  ['update that sets pairs', 'one', rpc('task/update', (where) => ({ where, data: { labels: { set: [{ id: 2 }] } } }))],
  ['update that refers', 'one', rpc('task/update', (where) => ({ where, data: { reviewer: { connect: { id: 2 } } } }))],
  ['update of what it refers to', 'one', rpc('task/update', (where) => ({ where, data: { reviewer: { update: { name: 'ours' } } } }))],
  ['update of what refers to it', 'one', rpc('task/update', (where) => ({ where, data: { note: { update: { text: 'ours' } } } }))],
  ['upsert', 'one', rpc('task/upsert', (where) => ({ where, update: TITLE, create: CREATE }))],
  [
    'upsert that creates',
    'one',
    rpc('task/upsert', (where) => ({ where, update: { ...TITLE, comments: { create: [{ body: 'ours' }] } }, create: CREATE })),
  ],
  ['upsert that selects', 'one', rpc('task/upsert', (where) => ({ where, update: TITLE, create: CREATE, include: { owner: true } }))],
  ['delete', 'one', rpc('task/delete', (where) => ({ where }))],
  ['delete that selects', 'one', rpc('task/delete', (where) => ({ where, include: { owner: true, labels: true } }))],
  ['updateMany', 'many', rpc('task/updateMany', (where) => ({ where, data: TITLE }))],
  ['updateMany with a limit', 'many', rpc('task/updateMany', (where) => ({ where, data: TITLE, limit: 1 }))],
  ['updateManyAndReturn', 'many', rpc('task/updateManyAndReturn', (where) => ({ where, data: TITLE }))],
  ['deleteMany', 'many', rpc('task/deleteMany', (where) => ({ where }))],
  ['deleteMany with a limit', 'many', rpc('task/deleteMany', (where) => ({ where, limit: 1 }))],
  [
    'update of a batch',
    'one',
    (more) => (app) =>
      app.rpc.sequential([
        { model: 'comment', op: 'update', args: { where: { id: 1 }, data: { body: 'ours' } } },
        { model: 'task', op: 'update', args: { where: { id: 3, ...more }, data: TITLE } },
      ]),
  ],
];

interface Through {
  readonly name: string;
  /** Builds a nested write of task 3 through another record. */
  readonly send: (verb: (row: More) => object) => (more: More) => Send;
}

/** The lists that task 3 is in, by each place that a key may have. */
const LISTS: readonly Through[] = [
  { name: 'a list by its key', send: (verb) => rpc('person/update', (row) => ({ where: { id: 1 }, data: { reviews: verb(row) } })) },
  { name: 'a list of pairs', send: (verb) => rpc('label/update', (row) => ({ where: { id: 1 }, data: { tasks: verb(row) } })) },
];

const OTHERS: readonly Through[] = [
  { name: 'a list by its key', send: (verb) => rpc('person/update', (row) => ({ where: { id: 2 }, data: { reviews: verb(row) } })) },
  { name: 'a list of pairs', send: (verb) => rpc('label/update', (row) => ({ where: { id: 3 }, data: { tasks: verb(row) } })) },
];

const VERBS: readonly (readonly [name: string, reach: Reach, verb: (row: More) => object])[] = [
  ['update', 'one', (where) => ({ update: { where, data: TITLE } })],
  ['update that creates', 'one', (where) => ({ update: { where, data: { comments: { create: [{ body: 'ours' }] } } } })],
  ['upsert', 'one', (where) => ({ upsert: { where, update: TITLE, create: CREATE } })],
  ['delete', 'one', (where) => ({ delete: where })],
  ['updateMany', 'many', (where) => ({ updateMany: { where, data: TITLE } })],
  ['deleteMany', 'many', (where) => ({ deleteMany: where })],
  ['disconnect', 'many', (where) => ({ disconnect: where })],
];

const LINKS: readonly (readonly [name: string, reach: Reach, verb: (row: More) => object])[] = [
  ['connect', 'one', (where) => ({ connect: where })],
  ['set', 'one', (where) => ({ set: [where] })],
  ['connectOrCreate', 'one', (where) => ({ connectOrCreate: { where, create: CREATE } })],
];

const toOne =
  (verb: (condition: More) => object) =>
  (more: More): Send =>
  (app) =>
    app.rpc.call('note/update', { where: { id: 3 }, data: { task: verb(more) } });

/** The only row of a relation, if it meets a condition. */
const ONES: readonly ContestedWrite[] = [
  ['update', 'one', toOne((where) => ({ update: { where, data: TITLE } }))],
  ['update that creates', 'one', toOne((where) => ({ update: { where, data: { comments: { create: [{ body: 'ours' }] } } } }))],
  ['upsert', 'one', toOne((where) => ({ upsert: { where, update: TITLE, create: CREATE } }))],
  ['delete', 'one', toOne((where) => ({ delete: where }))],
  ['disconnect', 'many', toOne((where) => ({ disconnect: where }))],
  [
    'connect',
    'one',
    (more) => (app) => app.rpc.call('comment/update', { where: { id: 1 }, data: { task: { connect: { id: 3, ...more } } } }),
  ],
  [
    'update of a list of a list',
    'one',
    rpc('person/update', (where) => ({
      where: { id: 2 },
      data: { tasks: { update: { where: { id: 2 }, data: { children: { update: { where, data: TITLE } } } } } },
    })),
  ],
];

export const WRITES: readonly ContestedWrite[] = [
  ...ROOT,
  ...LISTS.flatMap(({ name, send }) => VERBS.map(([verb, reach, write]): ContestedWrite => [`${verb} of ${name}`, reach, send(write)])),
  ...OTHERS.flatMap(({ name, send }) => LINKS.map(([verb, reach, write]): ContestedWrite => [`${verb} of ${name}`, reach, send(write)])),
  ...ONES.map(([verb, reach, send]): ContestedWrite => [`${verb} of a to-one relation`, reach, send]),
];

/** The change by the other writer that links task 3 to another record, and changes it. */
const MOVED = `UPDATE "Task" SET "title" = 'theirs', "reviewerId" = 2, "parentId" = 1 WHERE "id" = 3`;
const UNPAIRED = `DELETE FROM "_LabelToTask" WHERE "A" = 1 AND "B" = 3; UPDATE "Task" SET "title" = 'theirs' WHERE "id" = 3`;
const NOTE_MOVED = `UPDATE "Note" SET "text" = 'theirs', "taskId" = NULL WHERE "id" = 3`;

const note =
  (verb: object): Send =>
  (app) =>
    app.rpc.call('task/update', { where: { id: 3 }, data: { note: verb } });

/** Nested writes that select a row only by its key, or by nothing but the link. */
export const LINKED: readonly (readonly [name: string, reach: Reach, change: string, send: Send])[] = [
  // PostgreSQL does not re-evaluate a condition on join tables for a row that `UPDATE` or `DELETE` has waited for.
  ...LISTS.flatMap(({ name, send }, index) =>
    VERBS.filter(([verb]) => index === 0 || !verb.endsWith('Many')).map(
      ([verb, reach, write]) => [`${verb} of ${name}`, reach, index === 0 ? MOVED : UNPAIRED, send(write)({})] as const,
    ),
  ),
  ['update of a to-one relation', 'one', NOTE_MOVED, note({ update: { text: 'ours' } })],
  ['upsert of a to-one relation', 'one', NOTE_MOVED, note({ upsert: { update: { text: 'ours' }, create: { id: 3, text: 'new' } } })],
  ['delete of a to-one relation', 'one', NOTE_MOVED, note({ delete: true })],
];

const ETAG = '"1"';
const data = (more: object): object => ({ data: { type: 'task', id: 3, ...more } });
const operation =
  (one: object): Send =>
  (app) =>
    sendOperations(
      app,
      operationsOf({ op: 'update', data: { type: 'comment', id: '1', attributes: { body: 'ours' } } }, { ...one, meta: { ifMatch: ETAG } }),
    );
const ref = (relationship?: string): object => ({ ref: { type: 'task', id: '3', ...(relationship !== undefined && { relationship }) } });
const rest =
  (method: 'PATCH' | 'DELETE' | 'POST' | 'PUT', path: string, body?: unknown): Send =>
  (app) =>
    app.rest.request(method, path, { headers: { 'If-Match': ETAG }, ...(body !== undefined && { body }) });
const rpcTagged =
  (path: string, args: object): Send =>
  (app) =>
    app.rpc.call(path, args, { headers: { 'If-Match': ETAG } });

/** Writes of task 3 by a tag of its first version. */
export const TAGGED: readonly (readonly [name: string, send: Send])[] = [
  ['PATCH', rest('PATCH', '/task/3', data({ attributes: TITLE }))],
  [
    'PATCH of relationships',
    rest(
      'PATCH',
      '/task/3',
      data({ attributes: TITLE, relationships: { reviewer: { data: { type: 'person', id: 2 } }, labels: { data: [] } } }),
    ),
  ],
  ['DELETE', rest('DELETE', '/task/3')],
  ['PATCH of a to-one relationship', rest('PATCH', '/task/3/relationships/reviewer', { data: null })],
  ['PATCH of a to-many relationship', rest('PATCH', '/task/3/relationships/labels', { data: [] })],
  ['POST of a to-many relationship', rest('POST', '/task/3/relationships/labels', { data: [{ type: 'label', id: 2 }] })],
  ['DELETE of a to-many relationship', rest('DELETE', '/task/3/relationships/labels', { data: [{ type: 'label', id: 1 }] })],
  ['operation update', operation({ op: 'update', ...data({ id: '3', attributes: TITLE }) })],
  ['operation remove', operation({ op: 'remove', ...ref() })],
  ['operation of a to-one relationship', operation({ op: 'update', ...ref('reviewer'), data: null })],
  ['operation of a to-many relationship', operation({ op: 'add', ...ref('labels'), data: [{ type: 'label', id: '2' }] })],
  ['update', rpcTagged('task/update', { where: { id: 3 }, data: TITLE })],
  ['update that creates', rpcTagged('task/update', { where: { id: 3 }, data: { comments: { create: [{ body: 'ours' }] } } })],
  ['upsert', rpcTagged('task/upsert', { where: { id: 3 }, update: TITLE, create: CREATE })],
  ['delete', rpcTagged('task/delete', { where: { id: 3 } })],
  ['delete that selects', rpcTagged('task/delete', { where: { id: 3 }, include: { owner: true } })],
  [
    'update of a batch',
    (app) => app.rpc.sequential([{ model: 'task', op: 'update', args: { where: { id: 3 }, data: TITLE }, ...{ ifMatch: ETAG } }]),
  ],
];
