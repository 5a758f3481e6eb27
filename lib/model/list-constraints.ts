import { type Constraint } from './resource-model.js';
import { type SchemaKey, type SchemaModel } from './resource-schema.js';

/** The keys of a model, hidden ones among them, that its table has constraints for. */
export function listConstraints({ primaryKey, uniqueKeys, fields }: SchemaModel): readonly Constraint[] {
  const foreignKeys = Object.values(fields).flatMap((field) => (field.kind === 'relation' ? (field.foreignKey ?? []) : []));
  return Object.freeze([
    ...(primaryKey ? [constraint('pkey', primaryKey)] : []),
    ...uniqueKeys.map((key) => constraint('key', key)),
    ...foreignKeys.map((key) => constraint('fkey', key)),
  ]);
}

function constraint(kind: Constraint['kind'], { fields }: Pick<SchemaKey, 'fields'>): Constraint {
  return Object.freeze({ kind, fields: Object.freeze([...fields]) });
}
