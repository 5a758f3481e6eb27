import { type MediaType, parseAccept } from './parse-media-type.js';
import type { ExportFormat } from '../../options/rest-settings.js';

/** An export that the `Accept` header requests. */
export interface RequestedExport {
  readonly format: ExportFormat;
  /** Media type of the response: the requested name, for CSV with its parameters. */
  readonly mediaType: string;
}

/** The media types of exports, by their names in `Accept`. */
const EXPORT_TYPES: Readonly<Record<string, RequestedExport>> = {
  'application/x-ndjson': { format: 'ndjson', mediaType: 'application/x-ndjson' },
  'application/jsonl': { format: 'ndjson', mediaType: 'application/jsonl' },
  'text/csv': { format: 'csv', mediaType: 'text/csv; charset=utf-8; header=present' },
};

/** Cheap pre-check: an `Accept` header without a match cannot name an export. */
const NAMED = /ndjson|jsonl|csv/i;

/** Parameters that every export satisfies. `Accept` may name them, with these values only. */
const PARAMETERS: Readonly<Record<string, string>> = { charset: 'utf-8', header: 'present' };

/**
 * Returns the export that `Accept` prefers to a JSON:API document; undefined if it prefers a document or names no export.
 * A range of types never chooses an export (SE-02).
 */
export function requestedExport(header: string | readonly string[] | undefined): RequestedExport | undefined {
  if (header === undefined) return undefined;
  const text = typeof header === 'string' ? header : header.join(',');
  if (!NAMED.test(text)) return undefined;
  const ranges = parseAccept(text);
  const [best] = ranges.flatMap((range) => exportOf(range)).toSorted((one, other) => other.weight - one.weight);
  if (!best) return undefined;
  const { weight, isNamed } = documentIn(ranges);
  return weight > best.weight || (weight === best.weight && isNamed) ? undefined : best.requested;
}

/** Whether `Accept` allows a JSON:API document. */
export function acceptsDocument(header: string | readonly string[]): boolean {
  return documentIn(parseAccept([header].flat().join(','))).weight > 0;
}

interface Weighted {
  readonly requested: RequestedExport;
  readonly weight: number;
}

function exportOf(range: MediaType): readonly Weighted[] {
  const requested = Object.hasOwn(EXPORT_TYPES, range.name) ? EXPORT_TYPES[range.name] : undefined;
  const weight = weightOf(range);
  const isKept = range.parameters.every(([name, value]) => name === 'q' || PARAMETERS[name] === value.toLowerCase());
  return requested && isKept && weight > 0 ? [{ requested, weight }] : [];
}

/** Returns the weight of a JSON:API document, and whether `Accept` names its media type rather than a range. */
function documentIn(ranges: readonly MediaType[]): { readonly weight: number; readonly isNamed: boolean } {
  for (const names of DOCUMENT_RANGES) {
    const found = ranges.filter(({ name }) => names.includes(name));
    if (found.length > 0) return { weight: Math.max(...found.map(weightOf)), isNamed: names === DOCUMENT_RANGES[0] };
  }
  return { weight: 0, isNamed: false };
}

/** Ranges that match a document, the most specific first. The most specific match determines the weight (RFC 9110, section 12.5.1). */
const DOCUMENT_RANGES: readonly (readonly string[])[] = [['application/vnd.api+json', 'application/json'], ['application/*'], ['*/*']];

function weightOf({ parameters }: MediaType): number {
  const [, weight = '1'] = parameters.find(([name]) => name === 'q') ?? [];
  return Number(weight) || 0;
}
