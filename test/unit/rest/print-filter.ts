import type { Filter, KeyFilter, PresenceFilter } from '../../../lib/rest/parse/resource-query.js';

/** A filter in one line: `some comments [body = "a"]`. */
export function printFilter(filter: Filter | undefined): string {
  switch (filter?.kind) {
    case undefined:
      return '';
    case 'all':
    case 'any':
      return `${filter.kind}(${filter.filters.map(printFilter).join(', ')})`;
    case 'attribute':
      return [filter.attribute.name, filter.operator.name || '=', filter.values.map(printValue).join('|')].join(' ');
    case 'key':
      return printKey(filter);
    case 'relation':
      return `${filter.match} ${filter.relationship.name} [${printFilter(filter.filter)}]`;
    case 'presence':
      return printPresence(filter);
  }
}

function printKey({ ids, negated }: KeyFilter): string {
  const texts = ids.map((id) => Object.values(id).map(printValue).join('+'));
  return `id ${negated ? 'not ' : ''}${texts.join('|')}`;
}

function printPresence({ present, relationship }: PresenceFilter): string {
  return `${present ? 'some' : 'no'} ${relationship.name}`;
}

function printValue(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  return JSON.stringify(value instanceof Uint8Array ? [...value] : value);
}
