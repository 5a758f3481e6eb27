import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import type { Attribute, Resource, UniqueKey } from '../../model/surface/surface.js';
import { readWrittenKey } from '../../model/values/read-written.js';
import { bodyError, memberPointer } from './body-error.js';
import { collect } from './collect.js';
import { requireAction } from './parse-target.js';
import type { JsonObject } from './read-document.js';
import type { ResourceContent } from './write-intent.js';

/**
 * Parses `meta: { operation: 'upsert', matchFields: ['slug'] }`, which makes a create an upsert. An upsert updates the record with the same
 * values in these fields, or creates one.
 *
 * The fields must form a unique key. `id` means the fields of the resource's id, and a relationship means its foreign key.
 *
 * @returns the key; undefined for a plain create
 * @throws ApiError `invalid-payload`, or `forbidden` if updates of the resource are not exposed
 */
export function parseMatch(meta: JsonObject, resource: Resource): UniqueKey | undefined {
  const { operation, matchFields } = meta;
  if (operation === undefined || operation === 'create') return undefined;
  if (operation !== 'upsert') throw bodyError('invalid-payload', '/meta/operation', "The operation must be 'create' or 'upsert'.");
  requireAction(resource, 'update');
  const pointer = matchFields === undefined ? '/meta' : POINTER;
  if (!Array.isArray(matchFields) || matchFields.length === 0) {
    const detail = "An upsert needs 'matchFields', an array of the names of its fields that are unique together.";
    throw bodyError('invalid-payload', pointer, detail);
  }
  const names: readonly unknown[] = matchFields;
  return findKey(new Set(collect(names.entries(), ([index, name]) => findFields(name, index, resource)).flat()), resource);
}

const POINTER = '/meta/matchFields';

/**
 * Requires a value for every field of an upsert's match key: as an attribute, as a part of the id, or by a relationship whose foreign key
 * contains it. Values that their columns would round are rejected, because the stored record would not match them.
 *
 * @throws ApiError `invalid-payload`, `invalid-value`
 */
export function requireMatchValues(match: UniqueKey, { attributes, linkages }: ResourceContent): void {
  const linked = new Set(linkages.filter(({ records }) => records.length > 0).map(({ relationship }) => relationship.name));
  const missing = match.fields.filter(({ name, foreignKeyOf }) => {
    const isGiven = attributes.some(({ attribute, value }) => attribute.name === name && value !== null);
    return !isGiven && !foreignKeyOf.some((relationship) => linked.has(relationship));
  });
  collect(missing, ({ member }) => {
    throw bodyError('invalid-payload', POINTER, `The upsert matches by '${member}', to which its document gives no value.`);
  });
  const matched = attributes.filter(({ attribute }) => match.fields.some(({ name }) => name === attribute.name));
  collect(matched, ({ attribute, value, pointer }) => {
    const reading = readWrittenKey(attribute, value);
    if ('expected' in reading)
      throw bodyError('invalid-value', pointer, `'${attribute.member}', by which the upsert matches, must be ${reading.expected}.`);
  });
}

function findFields(name: unknown, index: number, resource: Resource): readonly Attribute[] {
  const field = typeof name === 'string' ? resource.members.get(name) : undefined;
  if (field?.kind === 'attribute') return [field];
  if (name === 'id') return resource.identifier.fields;
  const columns = field ? resource.attributes.filter(({ foreignKeyOf }) => foreignKeyOf.includes(field.name)) : [];
  if (columns.length > 0) return columns;
  throw bodyError('invalid-payload', memberPointer(POINTER, index), `${resource.type} has no attribute${describeUnknown(name, resource)}`);
}

function describeUnknown(name: unknown, { uniqueKeys }: Resource): string {
  if (typeof name !== 'string') return ' of that name.';
  const known = [...uniqueKeys.values()].flatMap(({ fields }) => fields.map(({ member }) => member));
  return ` ${quote(name)}.${didYouMean(name, known)}`;
}

function findKey(fields: ReadonlySet<Attribute>, { type, identifier, uniqueKeys }: Resource): UniqueKey {
  const key = [identifier, ...uniqueKeys.values()].find(
    (one) => one.fields.length === fields.size && one.fields.every((field) => fields.has(field)),
  );
  if (key) return key;
  const members = [...fields].map(({ member }) => `'${member}'`).join(' and ');
  throw bodyError('invalid-payload', POINTER, `${members} ${fields.size > 1 ? 'are no unique key' : 'is no unique key'} of ${type}.`);
}
