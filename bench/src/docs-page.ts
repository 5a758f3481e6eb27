import { readFileSync, writeFileSync } from 'node:fs';
import { aimsTable, asInitTable, entranceTable, ownCodeTable } from './aims.js';
import type { Contender } from './contenders.js';
import { ratiosOf, type Results } from './report.js';

const PAGE = new URL('../../docs/performance.md', import.meta.url);

/** Writes the tables of the page, each between two comments with its name. */
export function writeDocsPage(results: Results, groups: readonly (readonly Contender[])[]): void {
  const tables = {
    'ratios': ratiosOf(results, groups),
    'aims': aimsTable(results),
    'as-init': asInitTable(results),
    'entrance': entranceTable(results),
    'own-code': ownCodeTable(results),
  };
  let page = readFileSync(PAGE, 'utf8');
  for (const [name, table] of Object.entries(tables)) {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [before = '', rest] = page.split(open);
    const [, after] = rest?.split(close) ?? [];
    if (after === undefined) throw new Error(`docs/performance.md has no place for its ${name}: ${open} and ${close}.`);
    page = `${before}${open}\n\n${table}\n${close}${after}`;
  }
  writeFileSync(PAGE, page);
}
