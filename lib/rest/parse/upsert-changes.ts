import type { UniqueKey } from '../../model/surface/surface.js';
import type { ResourceContent } from './write-intent.js';

/** What an upsert changes of the record that it finds: all but the fields by which it is found. */
export function upsertChanges(match: UniqueKey, { attributes, linkages }: ResourceContent): ResourceContent {
  return { attributes: attributes.filter(({ attribute }) => match.fields.every(({ name }) => name !== attribute.name)), linkages };
}
