import { quote } from '../../errors/quote.js';
import type { Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError } from './body-error.js';
import type { DocumentWrite, ResourceObject } from './document-scope.js';
import { parseContent } from './parse-content.js';
import { parseMatch, requireMatchValues } from './parse-match.js';
import type { CollectionTarget, ResourceTarget } from './parse-target.js';
import { readDocument, type RequestDocument } from './read-document.js';
import type { RestContext } from './rest-context.js';
import type { ResourceIntent } from './write-intent.js';

/**
 * Reads the body of a create (`POST /:type`), an upsert (the same with `meta.operation`), or an update (`PATCH /:type/:id`).
 *
 * Everything that is wrong is told at once, each thing with a pointer to its place. Members that JSON:API does not define, and those that
 * begin with `@`, are ignored (DS-06, MN-05).
 *
 * @param body - the JSON value as it came; its `meta.serialization` is applied here
 * @throws ApiError
 */
export function parseDocument(target: CollectionTarget | ResourceTarget, body: unknown, context: RestContext): ResourceIntent {
  const document = readDocument(body);
  const write = writeOf(target, document);
  const content = parseContent(readResourceObject(document.data, write.resource), { ...write, context });
  if (write.kind === 'upsert') requireMatchValues(write.match, content);
  return { ...write, content };
}

function writeOf(target: CollectionTarget | ResourceTarget, { meta }: RequestDocument): DocumentWrite {
  const { resource } = target;
  if (target.kind === 'resource') return { kind: 'update', resource, id: target.id };
  const match = parseMatch(meta, resource);
  return match ? { kind: 'upsert', resource, match } : { kind: 'create', resource };
}

/** @throws ApiError at once: in a document of another type nothing else is worth reading */
function readResourceObject(data: unknown, resource: Resource): ResourceObject {
  if (!isPlainObject(data)) throw bodyError('invalid-payload', '/data', 'The data must be one resource object.');
  const { type } = data;
  if (type === undefined) throw bodyError('invalid-payload', '/data', `The resource object needs a type, here '${resource.type}'.`);
  if (typeof type !== 'string') throw bodyError('invalid-payload', '/data/type', 'The type must be a string.');
  if (type.toLowerCase() === resource.type.toLowerCase()) return data;
  throw bodyError('type-conflict', '/data/type', `This URL takes resources of type '${resource.type}', not ${quote(type)}.`);
}
