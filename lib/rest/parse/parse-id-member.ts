import { formatId, parseId } from '../../model/values/resource-id.js';
import type { Resource } from '../../model/surface/surface.js';
import { bodyError } from './body-error.js';
import type { ResourceId } from './parse-target.js';
import type { RestContext } from './rest-context.js';

/** An object of the body that may have an `id`. */
export interface IdHolder {
  readonly object: Readonly<Record<string, unknown>>;
  readonly pointer: string;
  /** The resource whose id it is. */
  readonly resource: Resource;
}

/**
 * Reads the `id` of a resource object or identifier, a string or a number (a string alone in strict mode: decision D2).
 *
 * @returns undefined where there is none; null counts as none
 * @throws ApiError `invalid-payload` for another JSON type, `invalid-id` for what cannot be an id of the resource
 */
export function parseIdMember(holder: IdHolder, context: RestContext): ResourceId | undefined {
  const { object, pointer, resource } = holder;
  if (object['id'] === undefined || object['id'] === null) return undefined;
  const text = idText(object['id'], context.settings.strict);
  const divider = context.settings.idDivider;
  if (text === undefined) {
    throw bodyError('invalid-payload', `${pointer}/id`, `An id must be a string${context.settings.strict ? '' : ' or a number'}.`);
  }
  const values = text === '' ? undefined : parseId(resource.identifier, text, divider);
  if (!values) throw bodyError('invalid-id', `${pointer}/id`, `This cannot be an id of ${resource.type}.`);
  return { values, text: String(formatId(resource.identifier, values, divider)) };
}

/** A bigint is a number that serialization metadata has revived. */
function idText(id: unknown, strict: boolean): string | undefined {
  if (typeof id === 'string') return id;
  return !strict && (typeof id === 'number' || typeof id === 'bigint') ? String(id) : undefined;
}
