import type { SchemaField, SchemaForeignKey, SchemaModel } from '../model/schema/resource-schema.js';
import { scalarTypeOf } from '../model/schema/scalar-type-names.js';
import type { DmmfDocument } from './dmmf.js';

/** The text of a Prisma schema, split into blocks. */
export interface SchemaText {
  /** The lines of models, views and enums by name: trimmed, without comments. */
  readonly blocks: ReadonlyMap<string, readonly string[]>;
  /** The names of the enums. */
  readonly enums: ReadonlySet<string>;
}

/** Matches code up to a comment. String literals may contain slashes. */
const CODE = /^(?:[^"/]|"(?:[^"\\]|\\.)*"|\/(?!\/))*/;
const BLOCK_START = /^(?:model|view|enum)\s+(\w+)\s*\{/;

/** Splits the text of a Prisma schema, which Prisma passes to generators formatted, with one field per line. */
export function readText(datamodel: string, enums: DmmfDocument['datamodel']['enums']): SchemaText {
  const blocks = new Map<string, string[]>();
  let block: string[] | undefined;
  for (const line of datamodel.split(/\r?\n/)) {
    const code = (CODE.exec(line.trim())?.[0] ?? '').trim();
    const name = BLOCK_START.exec(code)?.[1];
    if (name !== undefined) {
      block = [];
      blocks.set(name, block);
    } else if (code === '}') block = undefined;
    else if (code !== '') block?.push(code);
  }
  return { blocks, enums: new Set(enums.map(({ name }) => name)) };
}

/** Matches a line such as `author User? @relation(…) @ignore`. */
const FIELD = /^(\w+)\s+(\w+)(\[\]|\?)?\s+(.*)$/;

/**
 * Reads the fields of a model with `@ignore`. Prisma does not describe them, so their lines in the schema are parsed.
 * Only their storage is read, because clients cannot use them.
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

/** Returns the name of a relation: that of the schema, or Prisma's default of both model names. */
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
