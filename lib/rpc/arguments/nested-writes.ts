import type { Action, Relationship } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { isJsonNull } from '../../model/values/json-value.js';

/** One kind of write through a relation: where it may stand, and what must be open for it. */
export interface NestedWrite {
  /** In the `data` of what. */
  readonly within: readonly WriteMode[];
  /** Through which relations. */
  readonly through: (relationship: Relationship) => boolean;
  /** Actions of the related model. */
  readonly actions: readonly Action[];
  /** Rights of the foreign key that it writes, where the related record holds it. */
  readonly link: readonly WriteMode[];
}

/** Whether a record is made or changed: rights of fields differ by it. */
export type WriteMode = 'create' | 'update';

const BOTH = ['create', 'update'] as const;
const UPDATE = ['update'] as const;

const any = (): boolean => true;
const many = (relationship: Relationship): boolean => relationship.many;
const severable = (relationship: Relationship): boolean => relationship.many || relationship.optional;

/** Prisma's nested writes. */
export const NESTED_WRITES = {
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
} as const satisfies Readonly<Record<string, NestedWrite>>;

export type NestedWriteName = keyof typeof NESTED_WRITES;

const ENTRIES = Object.entries(NESTED_WRITES) as readonly (readonly [NestedWriteName, NestedWrite])[];

/** Whether the related model is open for a nested write, and the foreign key that it writes. */
export function isNestedWriteOpen({ target, link: place, linkable }: Relationship, name: NestedWriteName): boolean {
  const { actions, link } = NESTED_WRITES[name] as NestedWrite;
  const needed = place === 'target-key' && link.includes('update') ? [...actions, 'update' as const] : actions;
  return needed.every((action) => target.actions.has(action)) && link.every((mode) => linkable[mode]);
}

/** The nested writes that a relation takes in the `data` of a create or an update. */
export function nestedWritesOf(relationship: Relationship, mode: WriteMode): ReadonlyMap<string, NestedWriteName> {
  const open = ENTRIES.filter(([, { within, through }]) => within.includes(mode) && through(relationship));
  return new Map(open.map(([name]) => [name, name]));
}

/** The operand of an `update` through a to-one relation: new data, under a condition or not. */
interface UpdateParts {
  readonly where?: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Whether the operand of an `update` through a to-one relation has the form `{ where, data }`, rather than that of the new data itself.
 *
 * A target with fields called `data` and `where` can have both of the same form. Prisma tries this one first.
 */
export function isUpdateEnvelope(operand: unknown): operand is UpdateParts {
  if (!isPlainObject(operand) || !isPlainObject(operand['data']) || isJsonNull(operand['data'])) return false;
  return Object.keys(operand).every((key) => key === 'where' || key === 'data');
}
