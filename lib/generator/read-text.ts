import type { DmmfDocument } from './dmmf.js';

/** A Prisma schema as text. */
export interface SchemaText {
  /** The lines of each block of models, views and enums, by its name: trimmed, without comments. */
  readonly blocks: ReadonlyMap<string, readonly string[]>;
  /** The names of the enums. */
  readonly enums: ReadonlySet<string>;
}

/** Code up to a comment; string literals may hold slashes. */
const CODE = /^(?:[^"/]|"(?:[^"\\]|\\.)*"|\/(?!\/))*/;
const BLOCK_START = /^(?:model|view|enum)\s+(\w+)\s*\{/;

/** Splits the text of a Prisma schema, as Prisma passes it to generators: formatted, with one field per line. */
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
