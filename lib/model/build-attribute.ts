import { type Attribute, type Rights } from './resource-model.js';
import { type SchemaEnumField, type SchemaScalarField } from './resource-schema.js';

/** What an attribute takes from elsewhere than its own field in the schema. */
export interface AttributeSetting {
  readonly member: string;
  readonly rights: Rights;
  /** The values of each enum. */
  readonly enums: ReadonlyMap<string, ReadonlySet<string>>;
  readonly foreignKeyOf: readonly string[];
}

/** One exposed attribute, frozen. */
export function buildAttribute(name: string, field: SchemaScalarField | SchemaEnumField, setting: AttributeSetting): Attribute {
  const list = field.list === true;
  const optional = field.optional === true;
  const hasOrigin = field.default !== undefined || field.updatedAt === true;
  return Object.freeze({
    kind: 'attribute',
    name,
    member: setting.member,
    optional,
    rights: setting.rights,
    list,
    hasDefault: optional || list || hasOrigin,
    generated: field.default?.kind === 'function' || field.updatedAt === true,
    foreignKeyOf: Object.freeze(setting.foreignKeyOf),
    ...typeOf(field, setting),
  });
}

function typeOf(
  field: SchemaScalarField | SchemaEnumField,
  { enums }: AttributeSetting,
): Pick<Attribute, 'type' | 'enumValues' | 'nativeType'> {
  if (field.kind === 'enum') return { type: 'Enum', enumValues: enums.get(field.type) ?? new Set<string>() };
  return { type: field.type, ...(field.nativeType && { nativeType: frozenNativeType(field.nativeType) }) };
}

type NativeType = NonNullable<Attribute['nativeType']>;

function frozenNativeType([name, args]: NativeType): NativeType {
  return Object.freeze([name, Object.freeze([...args])] as const);
}
