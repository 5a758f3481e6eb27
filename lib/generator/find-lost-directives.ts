import type { DmmfModel } from './dmmf.js';
import { directivesIn } from './parse-api-comment.js';

/** A line of a Prisma schema. */
interface Line {
  readonly text: string;
  readonly hasCode: boolean;
  /** `Model` or `Model.field`, if the code declares one. */
  readonly place?: string;
  /** The `@api.…` directives in its documentation (after three slashes). */
  readonly directives: readonly string[];
  /** Whether its comment has a directive after two slashes instead of three. */
  readonly lacksSlash: boolean;
}

/** Matches code and its comment. String literals may contain slashes. */
const LINE = /^((?:[^"/]|"(?:[^"\\]|\\.)*"|\/(?!\/))*)(\/\/.*)?$/;
const BLOCK_START = /^(\w+)\s+(\w+)\s*\{/;

/**
 * Finds the `@api.…` comments of a Prisma schema that Prisma attaches to no model and no field. They would have no effect. Examples: `// @api.hidden`
 * with two slashes; documentation before `@@…` or `}`, of an enum, or with a blank line before the model.
 *
 * @param datamodel The text of all files of the Prisma schema. Prisma formats it, and removes comments after `{`.
 * @param models The models as parsed by Prisma.
 * @returns The lines at fault, trimmed and in order.
 */
export function findLostDirectives(datamodel: string, models: readonly DmmfModel[]): readonly string[] {
  const lines = readLines(datamodel);
  const documentation = documentationByPlace(models);
  return lines
    .filter((line, index) => line.lacksSlash || (line.directives.length > 0 && isLost(line, placeOf(lines.slice(index)), documentation)))
    .map(({ text }) => text);
}

function documentationByPlace(models: readonly DmmfModel[]): ReadonlyMap<string, string> {
  return new Map(
    models.flatMap((model) => [
      [model.name, model.documentation ?? ''],
      ...model.fields.map((field): [string, string] => [`${model.name}.${field.name}`, field.documentation ?? '']),
    ]),
  );
}

/** Returns the declaration of a comment in the first line: in the same line, or in the next line with code. */
function placeOf(lines: readonly Line[]): string | undefined {
  return lines.find(({ hasCode }) => hasCode)?.place;
}

function isLost({ directives }: Line, place: string | undefined, documentation: ReadonlyMap<string, string>): boolean {
  if (place === undefined) return true;
  const attached = documentation.get(place);
  // Prisma does not describe ignored fields and models, nor columns of unsupported types. They are not exposed anyway.
  if (attached === undefined) return false;
  const read = new Set(directivesIn(attached));
  return directives.some((name) => !read.has(name));
}

function readLines(datamodel: string): readonly Line[] {
  let block = { kind: '', name: '' };
  return datamodel.split(/\r?\n/).map((line) => {
    const text = line.trim();
    const [, code = text, comment = ''] = LINE.exec(text) ?? [];
    const [, kind, name] = BLOCK_START.exec(code) ?? [];
    if (kind !== undefined && name !== undefined) block = { kind, name };
    const place = readPlace(code.trim(), block);
    return {
      text,
      hasCode: code.trim() !== '',
      ...(place !== undefined && { place }),
      directives: comment.startsWith('///') ? directivesIn(comment) : [],
      lacksSlash: /^\/\/\s*@api\./.test(comment),
    };
  });
}

/**
 * Returns the model or field that a line declares.
 *
 * @param block The block that the code starts or is in.
 */
function readPlace(code: string, block: { readonly kind: string; readonly name: string }): string | undefined {
  if (block.kind !== 'model' && block.kind !== 'view') return undefined;
  if (BLOCK_START.test(code)) return block.name;
  const field = /^\w+/.exec(code)?.[0];
  return field === undefined ? undefined : `${block.name}.${field}`;
}
