import { bodyError } from '../body-error.js';
import type { PathParameters } from '../target.js';

/** The target of an operation's URL. */
export interface HrefTarget {
  readonly kind: 'collection' | 'resource' | 'relationship';
  readonly params: PathParameters;
}

/**
 * Parses the `href` of an operation (AO-21): an absolute URL below the endpoint, a path that begins with the endpoint's path, or a path
 * below the API. It is decoded once, and never fetched.
 *
 * @throws ApiError `invalid-payload`
 */
export function readHref(href: unknown, endpoint: string): HrefTarget {
  if (typeof href !== 'string') throw refused('must be a string');
  if (/[?#]/.test(href)) throw refused('takes no query and no fragment');
  const path = pathBelow(stripEndpoint(href, endpoint), new URL(endpoint).pathname.replace(/\/$/, ''));
  const target = matchHrefTarget(path.slice(1).split('/').map(decoded));
  if (target) return target;
  throw refused('leads to a collection, a resource or a relationship: /post, /post/1, /post/1/relationships/tags');
}

function matchHrefTarget(segments: readonly string[]): HrefTarget | undefined {
  const [type = '', id = '', relationships, relationship = ''] = segments;
  if (segments.includes('')) return undefined;
  if (segments.length === 1) return { kind: 'collection', params: { type } };
  if (segments.length === 2) return { kind: 'resource', params: { type, id } };
  if (segments.length !== 4 || relationships !== 'relationships') return undefined;
  return { kind: 'relationship', params: { type, id, relationship } };
}

function stripEndpoint(href: string, endpoint: string): string {
  const [origin = ''] = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i.exec(href) ?? [];
  if (origin === '') return href;
  if (!URL.canParse(origin) || new URL(origin).origin !== new URL(endpoint).origin) throw refused('leads to another origin');
  return href.slice(origin.length);
}

function pathBelow(path: string, base: string): string {
  if (!path.startsWith('/')) throw refused('must begin with a slash or with the URL of the API');
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw refused('is not percent-encoded UTF-8');
  }
}

function refused(fault: string): Error {
  return bodyError('invalid-payload', '/href', `The href of an operation ${fault}.`);
}
