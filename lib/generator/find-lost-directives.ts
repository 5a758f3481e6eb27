import { directivesIn } from './parse-api-comment.js';

/** A line of a Prisma schema: what its code is, and the `@api.…` that its comment holds. */
interface Line {
  readonly text: string;
  readonly code: 'none' | 'model' | 'field' | 'other';
  readonly directive: 'none' | 'plain' | 'documentation';
}

/** Code up to a comment; string literals may hold slashes. */
const LINE = /^((?:[^"/]|"(?:[^"\\]|\\.)*"|\/(?!\/))*)(\/\/.*)?$/;
const BLOCK_START = /^(\w+)\s+\w+\s*\{/;

/**
 * Finds the `@api.…` comments of a Prisma schema that Prisma attaches to no model and no field. They would hide nothing, and nobody
 * would notice: `// @api.hidden` with two slashes, and documentation before `@@…` or `}`, or of an enum, a datasource, a generator.
 *
 * @param datamodel The text of the Prisma schema, all its files together; from Prisma it comes formatted and without comments behind `{`.
 * @returns The lines at fault, trimmed, in their order.
 */
export function findLostDirectives(datamodel: string): readonly string[] {
  const lines = readLines(datamodel);
  return lines.filter((line, index) => line.directive !== 'none' && isLost(line, lines.slice(index + 1))).map(({ text }) => text);
}

function isLost(line: Line, following: readonly Line[]): boolean {
  if (line.directive === 'plain') return true;
  if (line.code !== 'none') return line.code !== 'field';
  const documented = following.find(({ code }) => code !== 'none')?.code;
  return documented !== 'model' && documented !== 'field';
}

function readLines(datamodel: string): readonly Line[] {
  let block = '';
  return datamodel.split(/\r?\n/).map((line) => {
    const text = line.trim();
    const [, code = text, comment = ''] = LINE.exec(text) ?? [];
    block = BLOCK_START.exec(code)?.[1] ?? block;
    return { text, code: readCode(code.trim(), block), directive: readDirective(comment) };
  });
}

/** @param block The word that opened the block which the line opens or is in. */
function readCode(code: string, block: string): Line['code'] {
  if (code === '') return 'none';
  if (block !== 'model' && block !== 'view') return 'other';
  if (BLOCK_START.test(code)) return 'model';
  return code.startsWith('@@') || code.startsWith('}') ? 'other' : 'field';
}

function readDirective(comment: string): Line['directive'] {
  if (/^\/\/\s*@api\./.test(comment)) return 'plain';
  return comment.startsWith('///') && directivesIn(comment).length > 0 ? 'documentation' : 'none';
}
