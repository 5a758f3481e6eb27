import type { Action, Relationship } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { isJsonNull } from '../../model/values/json-value.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';

/** A kind of nested write: where it is allowed, and which rights it needs. */
export interface NestedWrite {
  /** The writes whose `data` may contain it. */
  readonly within: readonly WriteMode[];
  /** Whether a relation supports it. */
  readonly through: (relationship: Relationship) => boolean;
  /** The actions that it needs on the related model. */
  readonly actions: readonly Action[];
  /** The rights that it needs on the foreign key, if the related record has the key. */
  readonly link: readonly WriteMode[];
}

/** The two ways of writing a record. Fields have different rights for each. */
export type WriteMode = 'create' | 'update';

export type NestedWriteName =
  | ('create' | 'createMany' | 'connectOrCreate' | 'connect' | 'disconnect' | 'set')
  | ('update' | 'updateMany' | 'upsert' | 'delete' | 'deleteMany');

const BOTH = ['create', 'update'] as const;
const UPDATE = ['update'] as const;

const any = (): boolean => true;
const many = (relationship: Relationship): boolean => relationship.many;
const severable = (relationship: Relationship): boolean => relationship.many || relationship.optional;

/** Prisma's nested writes. */
export const NESTED_WRITES: Readonly<Record<NestedWriteName, NestedWrite>> = {
  create: { within: BOTH, through: any, actions: ['create'], link: ['create'] },
  createMany: {
    within: BOTH,
    through: (relationship) => relationship.many && relationship.link !== 'join-table',
    actions: ['create'],
    link: ['create'],
  },
  connectOrCreate: { within: BOTH, through: any, actions: ['create'], link: BOTH },
  connect: { within: BOTH, through: any, actions: [], link: UPDATE },
  disconnect: { within: UPDATE, through: severable, actions: [], link: UPDATE },
  set: { within: UPDATE, through: many, actions: [], link: UPDATE },
  update: { within: UPDATE, through: any, actions: ['update'], link: [] },
  updateMany: { within: UPDATE, through: many, actions: ['update'], link: [] },
  upsert: { within: UPDATE, through: any, actions: ['create', 'update'], link: ['create'] },
  delete: { within: UPDATE, through: severable, actions: ['delete'], link: [] },
  deleteMany: { within: UPDATE, through: many, actions: ['delete'], link: [] },
};

const ENTRIES = Object.entries(NESTED_WRITES) as readonly (readonly [NestedWriteName, NestedWrite])[];

/** Whether the related model and the written foreign key are exposed for a nested write. */
export function isNestedWriteOpen({ target, link: place, linkable }: Relationship, name: NestedWriteName): boolean {
  const { actions, link } = NESTED_WRITES[name];
  const needed = place === 'target-key' && link.includes('update') ? [...actions, 'update' as const] : actions;
  return needed.every((action) => target.actions.has(action)) && link.every((mode) => linkable[mode]);
}

/** Returns the nested writes of a relation in the `data` of a create or an update. */
export function nestedWritesOf(relationship: Relationship, mode: WriteMode): ReadonlyMap<string, NestedWriteName> {
  return WRITES_OF[mode](relationship);
}

/** Caches the nested writes of relations, because each nested write of a request looks them up. */
const WRITES_OF: Readonly<Record<WriteMode, (relationship: Relationship) => ReadonlyMap<string, NestedWriteName>>> = {
  create: memoizeByObject((relationship) => listWrites(relationship, 'create')),
  update: memoizeByObject((relationship) => listWrites(relationship, 'update')),
};

function listWrites(relationship: Relationship, mode: WriteMode): ReadonlyMap<string, NestedWriteName> {
  const open = ENTRIES.filter(([, { within, through }]) => within.includes(mode) && through(relationship));
  return new Map(open.map(([name]) => [name, name]));
}

/** Returns the nested writes of a relation that the related model and the written foreign key allow. */
export function openNestedWrites(relationship: Relationship, mode: WriteMode): readonly NestedWriteName[] {
  return [...nestedWritesOf(relationship, mode).values()].filter((write) => isNestedWriteOpen(relationship, write));
}

/** The operand of an `update` through a to-one relation: new data, with or without a condition. */
interface UpdateParts {
  readonly where?: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Whether the operand of an `update` through a to-one relation has the form `{ where, data }`, rather than that of the new data itself.
 *
 * If the target has fields named `data` and `where`, an operand can have both forms. Prisma tries this one first.
 */
export function isUpdateEnvelope(operand: unknown): operand is UpdateParts {
  if (!isPlainObject(operand) || !isPlainObject(operand['data']) || isJsonNull(operand['data'])) return false;
  return Object.keys(operand).every((key) => key === 'where' || key === 'data');
}
