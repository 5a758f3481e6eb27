import type { Resource } from '../../model/surface/surface.js';
import type { View } from './projection.js';

/**
 * What tells a view of a resource from every other one: the fieldsets and the included relationships that it can show.
 *
 * @example
 * nameOfView(post, view); // 'Post[title,author](author:User(profile:Profile))'
 */
export function nameOfView(resource: Resource, { include, fields }: View): string {
  const fieldset = fields.get(resource);
  let name = fieldset ? `${resource.model}[${[...fieldset].join()}]` : resource.model;
  if (include.size === 0) return name;
  name += '(';
  for (const [relationship, deeper] of include) {
    name += `${relationship.name}:${nameOfView(relationship.target, { include: deeper, fields })},`;
  }
  return `${name})`;
}
