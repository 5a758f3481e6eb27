import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import type { ResourceModel } from '../../../lib/model/resource-model.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import type { Field, Relationship, Resource } from '../../../lib/model/surface/surface.js';
import type { ResourcesOption } from '../../../lib/index.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };
export type OpenResource = Mutable<Resource>;

const RESOURCES = { AuditEvent: { fields: { type: { name: 'kind' } } } } as const;

/**
 * Returns the model of a package with a fault: one of its tables has a field that all others hide. It copies every resource and links the copies,
 * of which `tamper` changes some.
 *
 * @param open what the resources in `opened` are built with: there the field is exposed
 */
export function tamperedModel(
  open: ResourcesOption<typeof resourceSchema>,
  tamper: (closed: ReadonlyMap<string, OpenResource>, opened: ReadonlyMap<string, OpenResource>) => void,
): ResourceModel {
  const closed = copyOf(buildResourceModel(resourceSchema, { resources: RESOURCES }).model);
  tamper(closed, copyOf(buildResourceModel(resourceSchema, { resources: { ...RESOURCES, ...open } }).model));
  const resources = [...closed.values()];
  return {
    provider: 'postgresql',
    resources,
    storage: buildStorage(resourceSchema),
    byType: new Map(resources.map((resource) => [resource.type.toLowerCase(), resource])),
    byDelegate: new Map(resources.map((resource) => [resource.delegate.toLowerCase(), resource])),
    byModel: new Map(resources.map((resource) => [resource.model, resource])),
  };
}

function copyOf({ resources }: ResourceModel): ReadonlyMap<string, OpenResource> {
  const copies = new Map(resources.map((resource): [string, OpenResource] => [resource.model, { ...resource }]));
  for (const copy of copies.values()) relink(copy, copies);
  return copies;
}

function relink(resource: OpenResource, copies: ReadonlyMap<string, OpenResource>): void {
  const fields = [...resource.fields.values()].map((field) => (field.kind === 'attribute' ? field : relinked(field, copies)));
  resource.fields = new Map(fields.map((field) => [field.name, field]));
  resource.members = new Map(fields.map((field) => [field.member, field]));
  resource.relationships = fields.filter((field: Field) => field.kind === 'relationship');
}

function relinked(relationship: Relationship, copies: ReadonlyMap<string, OpenResource>): Relationship {
  return { ...relationship, target: copies.get(relationship.target.model) ?? relationship.target };
}
