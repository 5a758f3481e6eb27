import type { ResourceSchema, SchemaField } from '../schema/resource-schema.js';
import type { Exposure } from './exposure.js';

/**
 * Returns a warning for each exposed field whose column type Prisma's driver adapters read incorrectly on PostgreSQL. Reads that select a
 * list of `citext` or of `timetz` fail, and a `timetz` loses its offset.
 */
export function findUnreadable(exposures: Iterable<Exposure>, { provider, orm }: ResourceSchema): readonly string[] {
  if (provider !== 'postgresql' || orm !== undefined) return [];
  return [...exposures].flatMap(({ model, schema, rights }) =>
    Object.entries(schema.fields).flatMap(([name, field]) => {
      const problem = rights.has(name) ? describeUnreadable(field) : undefined;
      return problem === undefined ? [] : [`${model}.${name}: ${problem}`];
    }),
  );
}

function describeUnreadable(field: SchemaField): string | undefined {
  if (field.kind !== 'scalar' || !field.nativeType) return undefined;
  const [type] = field.nativeType;
  if (field.list === true && (type === 'Citext' || type === 'Timetz')) {
    return (
      `Prisma cannot read a list of @db.${type}: reads through Prisma that select the field are answered 500. ` +
      `Hide it in resources, or give the column another type${type === 'Citext' ? ' (text[])' : ''}.`
    );
  }
  if (type !== 'Timetz') return undefined;
  return (
    'Prisma leaves out the offset of a @db.Timetz: 12:00-05 and 12:00+00 are both read as 12:00, a filter by it finds the other row, and saving it ' +
    'changes it. Use @db.Time or @db.Timestamptz, or make the field read-only and leave it out of filters.'
  );
}
