import { type Relationship, type Resource } from '../../model/resource-model.js';
import { linkageKey } from '../parse/readable-members.js';
import { type RelationshipShape, type Shape } from '../parse/resource-shape.js';
import { planOrder } from './plan-order.js';

/** What the data client loads of a record, by Prisma's field names. */
export type Select = Readonly<Record<string, unknown>>;

/**
 * The `select` that loads exactly what a shape shows: always the id; attributes, the foreign keys that are linkage, and what is included.
 * Built once a shape, and the shape of a plain request lives as long as the model.
 *
 * An included to-many relationship comes in the order of its resources' keys, and as one row more than `maxTake` at most: enough for the
 * renderer to see that there are too many.
 */
export function planSelect(shape: Shape, maxTake: number): Select {
  let select = selects.get(shape);
  if (!select) {
    select = buildSelect(shape, maxTake);
    selects.set(shape, select);
  }
  return select;
}

const selects = new WeakMap<Shape, Select>();

function buildSelect(shape: Shape, maxTake: number): Select {
  const select: Record<string, unknown> = {};
  for (const { name } of shape.resource.identifier.fields) select[name] = true;
  if (shape.kind === 'key') return select;
  for (const { name } of shape.attributes) select[name] = true;
  for (const relationship of shape.relationships) addRelationship(select, relationship, maxTake);
  return select;
}

function addRelationship(select: Record<string, unknown>, { relationship, linkage, related }: RelationshipShape, maxTake: number): void {
  if (linkage === 'foreign-key') Object.assign(select, selectForeignKey(relationship));
  if (!related) return;
  const page = relationship.many ? { ...allOf(relationship.target), ...upTo(maxTake) } : {};
  select[relationship.name] = { ...page, select: planSelect(related, maxTake) };
}

/** The fields of the row's own foreign key, where that is linkage. */
export function selectForeignKey(relationship: Relationship): Select {
  return Object.fromEntries((linkageKey(relationship)?.fields ?? []).map((name) => [name, true]));
}

function allOf(resource: Resource): { readonly orderBy: unknown } {
  return { orderBy: planOrder([], resource) };
}

/** `take` for at most that many rows and one to tell that there are more. */
export function upTo(limit: number): { readonly take?: number } {
  return Number.isFinite(limit) ? { take: limit + 1 } : {};
}
