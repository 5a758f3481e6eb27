import { frozenSet } from '../freeze.js';
import { missingComparisons } from '../surface/lacked-comparisons.js';
import type { Attribute, ClosedRights, Rights } from '../surface/surface.js';
import type { DatabaseProvider, SchemaEnumField, SchemaScalarField } from '../schema/resource-schema.js';

/** The properties of an attribute that are not from its own field in the schema. */
export interface AttributeSetting {
  /** Prisma's name of the model. */
  readonly model: string;
  readonly member: string;
  readonly provider: DatabaseProvider;
  readonly rights: Rights;
  readonly closed: ClosedRights;
  /** The values of each enum, by its name. */
  readonly enums: ReadonlyMap<string, ReadonlySet<string>>;
  readonly foreignKeyOf: readonly string[];
  /** The names of the primary key's fields. */
  readonly primaryKey: readonly string[];
}

/** Builds one exposed attribute, frozen. */
export function buildAttribute(name: string, field: SchemaScalarField | SchemaEnumField, setting: AttributeSetting): Attribute {
  const list = field.list === true;
  const optional = field.optional === true;
  const hasOrigin = field.default !== undefined || field.updatedAt === true;
  return Object.freeze({
    kind: 'attribute',
    model: setting.model,
    name,
    member: setting.member,
    optional,
    rights: setting.rights,
    closed: setting.closed,
    list,
    primaryKey: placeIn(setting.primaryKey, name),
    hasDefault: optional || list || hasOrigin,
    generated: field.default?.kind === 'function' || field.updatedAt === true,
    ...(field.updatedAt && { updatedAt: true }),
    foreignKeyOf: Object.freeze(setting.foreignKeyOf),
    ...(field.documentation !== undefined && { documentation: field.documentation }),
    ...typeOf(field, setting),
    ...comparisonsOf(field, setting),
  });
}

/** Returns the comparisons that the database lacks for the type. Where `order` is among them, the right to sort is denied. */
function comparisonsOf(
  field: SchemaScalarField | SchemaEnumField,
  { rights, closed, provider }: AttributeSetting,
): Partial<Pick<Attribute, 'rights' | 'closed' | 'lacks'>> {
  const lacked = field.kind === 'scalar' ? missingComparisons(field, provider) : undefined;
  const lacks = lacked && frozenSet(lacked);
  if (!lacks?.has('order') || !rights.sort) return lacks ? { lacks } : {};
  return { lacks, rights: Object.freeze({ ...rights, sort: false }), closed: Object.freeze({ ...closed, sort: 'column-type' }) };
}

function placeIn(primaryKey: readonly string[], name: string): Attribute['primaryKey'] {
  if (!primaryKey.includes(name)) return 'no';
  return primaryKey.length === 1 ? 'whole' : 'part';
}

function typeOf(
  field: SchemaScalarField | SchemaEnumField,
  { enums }: AttributeSetting,
): Pick<Attribute, 'type' | 'enumName' | 'enumValues' | 'nativeType'> {
  if (field.kind === 'enum') return { type: 'Enum', enumName: field.type, enumValues: enums.get(field.type) ?? new Set<string>() };
  return { type: field.type, ...(field.nativeType && { nativeType: frozenNativeType(field.nativeType) }) };
}

type NativeType = NonNullable<Attribute['nativeType']>;

function frozenNativeType([name, args]: NativeType): NativeType {
  return Object.freeze([name, Object.freeze([...args])] as const);
}
