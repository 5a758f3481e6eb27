import type { Relationship, Resource } from '../model/surface/surface.js';
import { countNodes } from '../wire/count-nodes.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { measureUniqueWhere, measureWhere } from './measure-where.js';
import type { Meter } from './meter.js';

/** Where data of a record stands. */
interface DataPlace {
  readonly resource: Resource;
  readonly depth: number;
  readonly meter: Meter;
}

/** Measures the `data` of a write, one record or a list of them: the values of their lists and Json fields, and conditions of nested writes. */
export function measureData(data: unknown, place: DataPlace): void {
  for (const record of [data].flat()) if (isPlainObject(record)) measureRecord(record, place);
}

function measureRecord(record: Readonly<Record<string, unknown>>, { resource, depth, meter }: DataPlace): void {
  meter.depth(depth);
  for (const [name, value] of Object.entries(record)) {
    const field = resource.fields.get(name);
    if (field?.kind === 'relationship') measureNestedWrites(field, value, { depth: depth + 1, meter });
    else if (field?.kind === 'attribute' && (field.list || field.type === 'Json')) meter.values(countNodes(value));
  }
}

type Walk = Omit<DataPlace, 'resource'>;

function measureNestedWrites({ target }: Relationship, writes: unknown, { depth, meter }: Walk): void {
  if (!isPlainObject(writes)) return;
  meter.depth(depth);
  for (const [name, operands] of Object.entries(writes)) {
    for (const operand of [operands].flat()) measureOperand(name, operand, { resource: target, depth: depth + 1, meter });
  }
}

/** An operand is a record's data, a condition, or an object of both. */
function measureOperand(name: string, operand: unknown, place: DataPlace): void {
  if (!isPlainObject(operand)) return;
  const { meter, resource, depth } = place;
  const condition = { resource, depth, factor: 1 };
  if (CONDITIONS.has(name)) measureUniqueWhere(operand, condition, meter);
  else if (name === 'create' || (name === 'update' && !isPlainObject(operand['data']))) measureRecord(operand, place);
  else measureParts(operand, { ...place, depth: depth + 1 }, name.endsWith('Many') ? measureWhere : measureUniqueWhere);
}

/** Nested writes whose operand says which records they are about. */
const CONDITIONS: ReadonlySet<string> = new Set(['connect', 'disconnect', 'set', 'delete', 'deleteMany']);

function measureParts(operand: Readonly<Record<string, unknown>>, place: DataPlace, measure: typeof measureWhere): void {
  const { meter, resource, depth } = place;
  meter.depth(depth - 1);
  measure(operand['where'], { resource, depth, factor: 1 }, meter);
  for (const key of ['data', 'create', 'update']) measureData(operand[key], place);
}
