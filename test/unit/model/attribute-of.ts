import type { Attribute } from '../../../lib/model/surface/surface.js';

/** Returns an attribute of that type with all rights, named after it: `int`, `string`. */
export function attributeOf(type: Attribute['type'], nativeType?: Attribute['nativeType'], enumValues?: readonly string[]): Attribute {
  const name = type.toLowerCase();
  return {
    kind: 'attribute',
    model: 'Model',
    name,
    member: name,
    type,
    optional: false,
    list: false,
    primaryKey: 'no',
    hasDefault: false,
    generated: false,
    foreignKeyOf: [],
    rights: { read: true, filter: true, sort: true, create: true, update: true },
    closed: {},
    ...(nativeType && { nativeType }),
    ...(enumValues && { enumValues: new Set(enumValues) }),
  };
}
