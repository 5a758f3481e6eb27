import { hash } from 'node:crypto';
import type { ApiRequest } from '../http/api-request.js';

/**
 * What tells a request from others that come under the same key: its method, path and query, what it requires of the stored version, and its body by
 * its meaning, so that a client may write it anew. Who asks, and which form of answer they want, is not part of it.
 *
 * @param path of the request, without its query
 */
export function fingerprintOf(request: Omit<ApiRequest, 'client'>, path: string): string {
  const { method, search, headers } = request;
  const query = new URLSearchParams(search);
  query.sort();
  const type = String(headers['content-type'] ?? '')
    .toLowerCase()
    .replace(/\s+/g, '');
  const ifMatch = [headers['if-match'] ?? ''].flat().join(',');
  return digest([method, path, query.toString(), type, ifMatch, bodyOf(request)]);
}

/** The SHA-256 of a list of texts, in hexadecimal: databases differ in whether letter case counts. */
export function digest(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}

/** A body that cannot be read is refused before anything is written. */
function bodyOf(request: Pick<ApiRequest, 'hasBody' | 'json'>): string {
  if (!request.hasBody) return '';
  try {
    return canonicalJson(request.json());
  } catch {
    return 'unreadable';
  }
}

/** JSON with the members of objects in one order. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]: [string, unknown]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
