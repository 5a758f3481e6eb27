import { quote } from '../../errors/quote.js';
import type { Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError } from './body-error.js';
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
  const id = parseIdMember({ object: value, pointer, resource: target }, context);
  if (id) return { id, pointer };
  if (value['lid'] === undefined) throw bodyError('invalid-relation-data', pointer, 'A resource identifier needs an id.');
  throw bodyError(
    'invalid-relation-data',
    `${pointer}/lid`,
    'A relationship can only name existing resources, by their id: lid is not supported.',
  );
}

function requireType(type: unknown, pointer: string, target: Resource): void {
  if (type === undefined) throw bodyError('invalid-relation-data', pointer, `A resource identifier needs a type, here '${target.type}'.`);
  if (typeof type !== 'string') throw bodyError('invalid-relation-data', `${pointer}/type`, 'The type must be a string.');
  if (type.toLowerCase() === target.type.toLowerCase()) return;
  throw bodyError('type-conflict', `${pointer}/type`, `This relationship holds resources of type '${target.type}', not ${quote(type)}.`);
}
