import { ApiError } from '../../errors/api-error.js';
import { changeError } from '../../errors/change-error.js';
import { quote } from '../../errors/quote.js';
import type { Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError } from './body-error.js';
import { readLid } from './operations/read-lid.js';
import { parseIdMember } from './parse-id-member.js';
import type { RestContext } from './rest-context.js';
import type { LinkedRecord } from './write-intent.js';

/** A resource identifier object in a body, and the resource that it must name. */
export interface IdentifierPlace {
  readonly value: unknown;
  readonly pointer: string;
  readonly target: Resource;
}

/**
 * Reads a resource identifier object `{ type, id }`; what else is in it is ignored.
 *
 * @throws ApiError `type-conflict` where it names another type than the relationship holds, `invalid-relation-data`, `invalid-id`
 */
export function parseIdentifier({ value, pointer, target }: IdentifierPlace, context: RestContext): LinkedRecord {
  if (!isPlainObject(value)) {
    throw bodyError(
      'invalid-relation-data',
      pointer,
      `A resource identifier is an object such as { "type": "${target.type}", "id": "1" }.`,
    );
  }
  requireType(value['type'], pointer, target);
  if (context.localIds) readLid(value, pointer);
  const id = parseIdMember({ object: value, pointer, resource: target }, context);
  if (id) return { id, pointer };
  if (context.localIds) return resolveLid(value, { pointer, target }, context.localIds);
  if (value['lid'] === undefined) throw bodyError('invalid-relation-data', pointer, 'A resource identifier needs an id.');
  throw bodyError(
    'invalid-relation-data',
    `${pointer}/lid`,
    'A relationship can only name existing resources, by their id: lid is not supported.',
  );
}

/** An operation may name what one before it creates (AO-24). */
function resolveLid(
  value: Readonly<Record<string, unknown>>,
  { pointer, target }: Omit<IdentifierPlace, 'value'>,
  localIds: Resolver,
): LinkedRecord {
  const lid = readLid(value, pointer);
  if (lid === undefined) throw bodyError('invalid-relation-data', pointer, 'A resource identifier needs an id or a lid.');
  try {
    return { id: localIds.resolve(target, lid), pointer };
  } catch (error) {
    throw error instanceof ApiError ? changeError(error, { source: { pointer: `${pointer}/lid` } }) : error;
  }
}

type Resolver = NonNullable<RestContext['localIds']>;

function requireType(type: unknown, pointer: string, target: Resource): void {
  if (type === undefined) throw bodyError('invalid-relation-data', pointer, `A resource identifier needs a type, here '${target.type}'.`);
  if (typeof type !== 'string') throw bodyError('invalid-relation-data', `${pointer}/type`, 'The type must be a string.');
  if (type.toLowerCase() === target.type.toLowerCase()) return;
  throw bodyError('type-conflict', `${pointer}/type`, `This relationship holds resources of type '${target.type}', not ${quote(type)}.`);
}
