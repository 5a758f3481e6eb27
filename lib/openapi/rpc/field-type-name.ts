import type { Attribute } from '../../model/surface/surface.js';
import { SHARED } from '../components.js';

/** The name of a schema that all fields of one type share, as Prisma names such types: `StringNullableFilter`, `IntListFilter`, `EnumRoleFilter`. */
export function fieldTypeName({ type, list, optional, enumName = '', nativeType }: Attribute, suffix: string): string {
  const base =
    type === 'Enum' ? `Enum${enumName}` : `${type}${type === 'String' || type === 'DateTime' ? (nativeType ?? []).flat().join('') : ''}`;
  return `${base}${list ? 'List' : ''}${optional && !list ? 'Nullable' : ''}${suffix}`;
}

/** The owner of such a schema: two schemas of one application may have different enums of one name. */
export function fieldTypeOwner({ enumValues }: Attribute): object {
  return enumValues ?? SHARED;
}
