import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import type { Resource, Surface } from '../../model/surface/surface.js';
import type { Fieldsets } from '../projection/projection.js';
import { readableMembers } from '../projection/readable-members.js';
import { collect } from './collect.js';
import { type FamilyParameter, parameterError } from './parse-parameters.js';
import type { RestContext } from './rest-context.js';
import { splitList } from './split-list.js';

/**
 * Parses `fields[TYPE]=a,b`: the only attributes and relationships of that type in the document (SF-01, SF-02). An empty list keeps none.
 * `id` and `type` are always in the document and may be named.
 *
 * @throws ApiError `invalid-fields`
 */
export function parseFields(parameters: readonly FamilyParameter[], { model, settings }: RestContext): Fieldsets {
  const fieldsets = new Map<Resource, Set<string>>();
  collect(parameters, (parameter) => {
    const resource = findResource(parameter, model);
    const fieldset = fieldsets.get(resource) ?? new Set();
    fieldsets.set(resource, fieldset);
    for (const member of readMembers(parameter, resource, settings.strict)) fieldset.add(member);
  });
  return fieldsets;
}

function findResource({ name, selectors }: FamilyParameter, model: Surface): Resource {
  const [type, ...others] = selectors;
  if (type === undefined || others.length > 0) {
    throw parameterError('invalid-fields', name, `There is no ${quote(name)}: a sparse fieldset is written fields[TYPE].`);
  }
  const resource = model.byType.get(type.toLowerCase());
  if (resource) return resource;
  const types = model.resources.map((known) => known.type);
  throw parameterError('invalid-fields', name, `There is no resource type ${quote(type)}.${didYouMean(type, types)}`);
}

function readMembers({ name, value }: FamilyParameter, resource: Resource, strict: boolean): readonly string[] {
  const { attributes, relationships } = readableMembers(resource, strict);
  const known = new Set([...attributes, ...relationships].map(({ member }) => member));
  return collect(splitList(value), ({ text, position }) => {
    if (known.has(text) || text === 'id' || text === 'type') return text;
    const detail = `${resource.type} has no field ${quote(text)}, at position ${position}.${didYouMean(text, known)}`;
    throw parameterError('invalid-fields', name, detail);
  });
}
