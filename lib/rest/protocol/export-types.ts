import { type MediaType, parseAccept } from './parse-media-type.js';
import type { ExportFormat } from '../../options/rest-settings.js';

/** An export that `Accept` asks for. */
export interface RequestedExport {
  readonly format: ExportFormat;
  /** As it was named; with the parameters that say all of the form. */
  readonly mediaType: string;
}

/** The media types of exports. What is asked for in parameters is said in the answer. */
const EXPORT_TYPES: Readonly<Record<string, RequestedExport>> = {
  'application/x-ndjson': { format: 'ndjson', mediaType: 'application/x-ndjson' },
  'application/jsonl': { format: 'ndjson', mediaType: 'application/jsonl' },
  'text/csv': { format: 'csv', mediaType: 'text/csv; charset=utf-8; header=present' },
};

/** Where an `Accept` does not have even this, it asks for no export. */
const NAMED = /ndjson|jsonl|csv/i;

/** What exports are like whether it is asked for or not. */
const PARAMETERS: Readonly<Record<string, string>> = { charset: 'utf-8', header: 'present' };

/**
 * The export that an `Accept` prefers to a document; undefined where it prefers a document, or does not name an export: no range of types chooses one (SE-02).
 */
export function askedExport(header: string | readonly string[] | undefined): RequestedExport | undefined {
  if (header === undefined) return undefined;
  const text = typeof header === 'string' ? header : header.join(',');
  if (!NAMED.test(text)) return undefined;
  const ranges = parseAccept(text);
  const [best] = ranges.flatMap((range) => exportOf(range)).toSorted((one, other) => other.weight - one.weight);
  if (!best) return undefined;
  const { weight, isNamed } = documentIn(ranges);
  return weight > best.weight || (weight === best.weight && isNamed) ? undefined : best.asked;
}

/** Whether an `Accept` takes a document, too. */
export function asksForDocument(header: string | readonly string[]): boolean {
  return documentIn(parseAccept([header].flat().join(','))).weight > 0;
}

interface Weighted {
  readonly asked: RequestedExport;
  readonly weight: number;
}

function exportOf(range: MediaType): readonly Weighted[] {
  const asked = Object.hasOwn(EXPORT_TYPES, range.name) ? EXPORT_TYPES[range.name] : undefined;
  const weight = weightOf(range);
  const isKept = range.parameters.every(([name, value]) => name === 'q' || PARAMETERS[name] === value.toLowerCase());
  return asked && isKept && weight > 0 ? [{ asked, weight }] : [];
}

/** How much a document is wanted, and whether by its own name. */
function documentIn(ranges: readonly MediaType[]): { readonly weight: number; readonly isNamed: boolean } {
  for (const names of DOCUMENT_RANGES) {
    const found = ranges.filter(({ name }) => names.includes(name));
    if (found.length > 0) return { weight: Math.max(...found.map(weightOf)), isNamed: names === DOCUMENT_RANGES[0] };
  }
  return { weight: 0, isNamed: false };
}

/** The more specific range says how much a type is wanted (RFC 9110, section 12.5.1). */
const DOCUMENT_RANGES: readonly (readonly string[])[] = [['application/vnd.api+json', 'application/json'], ['application/*'], ['*/*']];

function weightOf({ parameters }: MediaType): number {
  const [, weight = '1'] = parameters.find(([name]) => name === 'q') ?? [];
  return Number(weight) || 0;
}
