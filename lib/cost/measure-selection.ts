import type { Relationship, Resource } from '../model/surface/surface.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { WEIGHTS } from './cost.js';
import { measureOrder } from './measure-order.js';
import { measureWhere } from './measure-where.js';
import type { Meter } from './meter.js';

/** Measures a `select` or an `include`: the relations in it, at any depth, with the arguments of each. */
export function measureSelection(resource: Resource, selection: unknown, meter: Meter): void {
  if (!isPlainObject(selection)) return;
  for (const [name, value] of Object.entries(selection)) {
    const field = resource.fields.get(name);
    if (name === '_count') measureCounts(resource, value, meter);
    else if (field?.kind === 'relationship' && value !== false) measureRelation(field, value, meter);
  }
}

function measureRelation({ target }: Relationship, value: unknown, meter: Meter): void {
  meter.joins(WEIGHTS.selected);
  if (!isPlainObject(value)) return;
  const place = { resource: target, depth: 1, factor: 1 };
  measureWhere(value['where'], place, meter);
  if (value['orderBy'] !== undefined) measureOrder(target, value['orderBy'], meter);
  if (value['distinct'] !== undefined) meter.terms([value['distinct']].flat().length);
  measureSelection(target, value['select'], meter);
  measureSelection(target, value['include'], meter);
}

/** Numbers of related rows: each has a list counted for all rows, be they few. */
function measureCounts(resource: Resource, counts: unknown, meter: Meter): void {
  const selected = isPlainObject(counts) ? counts['select'] : undefined;
  if (!isPlainObject(selected)) return;
  for (const [name, value] of Object.entries(selected)) {
    const field = resource.fields.get(name);
    if (field?.kind !== 'relationship' || value === false) continue;
    meter.joins(WEIGHTS.toMany);
    if (isPlainObject(value)) measureWhere(value['where'], { resource: field.target, depth: 1, factor: WEIGHTS.below }, meter);
  }
}
