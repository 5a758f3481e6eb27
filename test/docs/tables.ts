import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** A row of a Markdown table: its cells by the headings of their columns. */
export type Row = Readonly<Record<string, string>>;

/**
 * The rows of the first table after a heading.
 *
 * @param heading as the page writes it, e.g. `## Codes`; `n`th is the table to take after it, from 0
 */
export function tableAfter(page: string, heading: string, nth = 0): readonly Row[] {
  const text = `\n${readFileSync(resolve(ROOT, page), 'utf8')}`;
  const start = text.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`${page} has no heading '${heading}'.`);
  const table = [...text.slice(start).matchAll(/(?:^\|.*\|\n)+/gm)][nth];
  if (!table) throw new Error(`${page} has no such table after '${heading}'.`);
  const [head = [], , ...rows] = table[0].trim().split('\n').map(cellsOf);
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])));
}

/** Returns the text of a cell without the backticks around it, with `|` for `\|`. */
export function codeOf(cell = ''): string {
  return cell.replaceAll('\\|', '|').replaceAll(/^`|`$/g, '');
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
