import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { preferenceOf, type Preferred } from '../http/preferences.js';
import type { Row } from '../query/result.js';
import type { ResourceIntent } from './parse/write-intent.js';

/** What a write answers: the document, or nothing where JSON:API leaves that choice. */
export type ReturnMode = 'minimal' | 'representation';

/** What the answer of a write may be. */
interface Returning {
  /** Whether JSON:API allows it to be empty. */
  readonly isFree: boolean;
  /** Whether there is a document to show. */
  readonly hasDocument: boolean;
}

/**
 * Reads `Prefer: return=minimal|representation` (PF-03).
 *
 * @throws ApiError `unsupported-header`
 */
export function preferReturn(request: ApiRequest, { isFree, hasDocument }: Returning): Preferred<ReturnMode> | undefined {
  const read = (value: string): ReturnMode | undefined => {
    if (value === 'minimal' && isFree) return value;
    return value === 'representation' && hasDocument ? value : undefined;
  };
  return preferenceOf(request, { name: 'return', read });
}

/** The answer with what was applied to it. */
export function asPreferred(preferred: Preferred<ReturnMode> | undefined, reply: ApiReply): ApiReply {
  if (!preferred) return reply;
  const headers = { ...reply.headers, ...preferred.headers };
  if (preferred.value !== 'minimal') return Object.assign(reply, { headers });
  return { status: 204, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Type')) };
}

/** Whether a resource is created as it was sent (CR-09): with its id, and with nothing filled in. */
export function createdAsAsked({ kind, resource, ...intent }: ResourceIntent, row: Row): boolean {
  const given = new Set(intent.content.attributes.map(({ attribute }) => attribute.name));
  const isGiven = ({ name }: { readonly name: string }): boolean => given.has(name);
  const isEmpty = (value: unknown): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  const linked = new Set(intent.content.linkages.map(({ relationship }) => relationship.name));
  return (
    kind === 'create' &&
    resource.identifier.fields.every(isGiven) &&
    resource.attributes.every((one) => isGiven(one) || one.foreignKeyOf.some((name) => linked.has(name)) || isEmpty(row[one.name]))
  );
}
