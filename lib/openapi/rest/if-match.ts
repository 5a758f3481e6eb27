import type { Resource } from '../../model/surface/surface.js';
import { type Components, SHARED } from '../components.js';
import type { Parameter, Reference } from '../open-api.js';

/** The header that says which version is changed, where records have one. */
export function ifMatch({ version }: Resource, components: Components): readonly Reference[] {
  if (!version) return [];
  const build = (): Parameter => ({
    name: 'If-Match',
    in: 'header',
    ...(version.isRequired && { required: true }),
    description: 'The `ETag` of the resource, or its `meta.etag`: it is changed only as long as it has that version.',
    schema: { type: 'string' },
    examples: { version: { value: '"3"' } },
  });
  return [components.parameter(version.isRequired ? 'RequiredIfMatch' : 'IfMatch', SHARED, build)];
}

/** The statuses of writes that may, or must, say which version they change. */
export function conditionalErrors({ version }: Resource): readonly number[] {
  if (!version) return [];
  return version.isRequired ? [412, 428] : [412];
}
