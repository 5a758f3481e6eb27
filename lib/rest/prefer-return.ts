import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { preferenceOf, type Preferred } from '../http/preferences.js';
import type { Row } from '../query/result.js';
import type { ResourceIntent } from './parse/write-intent.js';

/** The body of the response to a write: the document, or nothing where JSON:API leaves that choice. */
export type ReturnMode = 'minimal' | 'representation';

/** The possible responses to a write. */
interface Returning {
  /** Whether JSON:API allows an empty response. */
  readonly isFree: boolean;
  /** Whether the response can have a document. */
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

/** Applies a preference to a reply, and adds the header `Preference-Applied`. */
export function applyPreference(preferred: Preferred<ReturnMode> | undefined, reply: ApiReply): ApiReply {
  if (!preferred) return reply;
  const headers = { ...reply.headers, ...preferred.headers };
  if (preferred.value !== 'minimal') return Object.assign(reply, { headers });
  return { status: 204, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Type')) };
}

/** Whether a created resource equals its document (CR-09): the client gave its id, and the server has set no other value. */
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
