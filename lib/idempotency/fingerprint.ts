import { hash } from 'node:crypto';
import type { ApiRequest } from '../http/api-request.js';

/**
 * Returns the fingerprint of a request, which tells different requests with the same key apart. It covers method, path, query, media type, `If-Match`
 * and the body in canonical form, so that a client may serialize the body again. It does not cover the caller and the requested response format.
 *
 * @param path of the request, without its query
 * @param keyed the part of the body that identifies the write; undefined for the whole body
 */
export function fingerprintOf(request: Omit<ApiRequest, 'client'>, path: string, keyed?: unknown): string {
  const { method, search, headers } = request;
  const query = new URLSearchParams(search);
  query.sort();
  const type = String(headers['content-type'] ?? '')
    .toLowerCase()
    .replace(/\s+/g, '');
  const ifMatch = [headers['if-match'] ?? ''].flat().join(',');
  return digest([method, path, query.toString(), type, ifMatch, keyed === undefined ? bodyOf(request) : canonicalJson(keyed)]);
}

/** Returns the SHA-256 of a list of texts, in hexadecimal, because some databases compare texts case-insensitively. */
export function digest(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}

/** Returns the body as canonical JSON. A body that cannot be parsed is rejected before anything is written. */
function bodyOf(request: Pick<ApiRequest, 'hasBody' | 'json'>): string {
  if (!request.hasBody) return '';
  try {
    return canonicalJson(request.json());
  } catch {
    return 'unreadable';
  }
}

/** Returns the value as JSON with the members of each object sorted by name. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]: [string, unknown]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
