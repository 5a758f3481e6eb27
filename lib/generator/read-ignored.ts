import type { SchemaField, SchemaForeignKey, SchemaModel } from '../model/schema/resource-schema.js';
import { scalarTypeOf } from '../model/schema/scalar-type-names.js';
import type { SchemaText } from './read-text.js';

/** `author User? @relation(…) @ignore` */
const FIELD = /^(\w+)\s+(\w+)(\[\]|\?)?\s+(.*)$/;

/**
 * Reads the fields of a model that have `@ignore`. Prisma does not describe them, so this reads their lines in the schema, and only what says
 * where their values are stored, because no client uses them.
 */
export function readIgnored(model: string, text: SchemaText): Pick<SchemaModel, 'ignored'> {
  const lines = text.blocks.get(model) ?? [];
  const fields = lines.filter((line) => /(?:^|\s)@ignore(?:\s|$)/.test(line)).flatMap((line) => readField(model, line, text));
  return fields.length === 0 ? {} : { ignored: Object.fromEntries(fields) };
}

function readField(model: string, line: string, { blocks, enums }: SchemaText): [string, SchemaField][] {
  const [, name, type, modifier, attributes = ''] = FIELD.exec(line) ?? [];
  if (name === undefined || type === undefined) return [];
  const shape = { ...(modifier === '[]' && { list: true as const }), ...(modifier === '?' && { optional: true as const }) };
  const scalar = scalarTypeOf(type);
  if (scalar !== undefined)
    return [[name, { kind: 'scalar', type: scalar, ...shape, ...readNativeType(attributes), ...readColumn(attributes) }]];
  if (enums.has(type)) return [[name, { kind: 'enum', type, ...shape, ...readColumn(attributes) }]];
  return blocks.has(type)
    ? [[name, { kind: 'relation', type, ...shape, relation: relationOf(attributes, [model, type]), ...readKey(attributes) }]]
    : [];
}

function readColumn(attributes: string): { readonly column?: string } {
  const column = /@map\(\s*(?:name:\s*)?"([^"]+)"/.exec(attributes)?.[1];
  return column === undefined ? {} : { column };
}

function readNativeType(attributes: string): { readonly nativeType?: readonly [string, readonly string[]] } {
  const [, name, args = ''] = /@\w+\.([A-Z]\w*)(?:\(([^)]*)\))?/.exec(attributes) ?? [];
  return name === undefined ? {} : { nativeType: [name, splitList(args)] };
}

/** The relation's name: given in the schema, or the names of both models, as Prisma puts them together. */
function relationOf(attributes: string, models: readonly string[]): string {
  return /@relation\(\s*(?:name:\s*)?"([^"]+)"/.exec(attributes)?.[1] ?? [...models].sort().join('To');
}

function readKey(attributes: string): { readonly foreignKey?: SchemaForeignKey } {
  const fields = /[(\s]fields:\s*\[([^\]]*)\]/.exec(attributes)?.[1];
  const references = /[(\s]references:\s*\[([^\]]*)\]/.exec(attributes)?.[1];
  return fields === undefined || references === undefined
    ? {}
    : { foreignKey: { fields: splitList(fields), references: splitList(references) } };
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
