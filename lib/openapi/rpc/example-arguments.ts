import { mayCombine } from '../../model/surface/rights.js';
import type { Resource, UniqueKey } from '../../model/surface/surface.js';
import type { RpcOperation } from '../../rpc/protocol/rpc-operations.js';
import type { DocumentedApi } from '../described-api.js';
import { exampleOf } from '../examples.js';
import { isRequired } from '../value-schemas.js';

/** Returns an argument that is valid without changes, for "Try it out". */
export function exampleArguments({ arguments: keys, required, name }: RpcOperation, resource: Resource, api: DocumentedApi): unknown {
  const examples = EXAMPLES(resource, api);
  const wanted = keys.filter(
    (key) => required.includes(key) || (key === 'take' && name === 'findMany') || (key === '_count' && name !== 'count'),
  );
  return Object.fromEntries(wanted.map((key) => [key, examples[key]?.(name)]));
}

type Examples = Readonly<Record<string, (operation: string) => unknown>>;

const EXAMPLES = (resource: Resource, api: DocumentedApi): Examples => ({
  take: () => 10,
  _count: () => true,
  by: () =>
    resource.attributes
      .filter((attribute) => mayCombine(attribute) && (attribute.type === 'Enum' || attribute.type === 'Boolean'))
      .slice(0, 1)
      .map(({ name }) => name),
  where: (operation) => (operation.includes('Many') ? noRecord(resource) : oneRecord(resource)),
  data: (operation) => (operation.startsWith('create') ? newRecord(resource, api, !operation.includes('Many')) : change(resource)),
  create: () => newRecord(resource, api, true),
  update: () => change(resource),
});

function pickUniqueKey({ uniqueKeys }: Resource): UniqueKey | undefined {
  const [key] = uniqueKeys.values();
  return key;
}

function oneRecord(resource: Resource): unknown {
  const key = pickUniqueKey(resource);
  if (!key) return {};
  const values = Object.fromEntries(key.fields.map((field) => [field.name, exampleOf(field)]));
  const [first, ...others] = key.fields;
  return first?.name === key.name && others.length === 0 ? values : { [key.name]: values };
}

/** Returns a filter that matches no record, because a try-out of a write on many records should not change all of them. */
function noRecord(resource: Resource): unknown {
  const [field] = pickUniqueKey(resource)?.fields ?? [];
  return field ? { [field.name]: { in: [] } } : {};
}

function newRecord(resource: Resource, api: DocumentedApi, withRelations: boolean): unknown {
  const shape = api.shapeOf(resource, 'create');
  const attributes = resource.attributes.filter(
    (attribute) =>
      isRequired(attribute, shape) ||
      (!withRelations && attribute.foreignKeyOf.length > 0 && !attribute.hasDefault && attribute.rights.create),
  );
  const links = withRelations
    ? resource.relationships.filter(({ many, optional, link, rights }) => !many && !optional && link === 'own-key' && rights.create)
    : [];
  return {
    ...Object.fromEntries(attributes.map((attribute) => [attribute.name, exampleOf(attribute)])),
    ...Object.fromEntries(links.map(({ name, target }) => [name, { connect: oneRecord(target) }])),
  };
}

function change({ attributes }: Resource): unknown {
  const field = attributes.find(
    ({ rights, type, foreignKeyOf, primaryKey }) => rights.update && foreignKeyOf.length === 0 && primaryKey === 'no' && type === 'String',
  );
  return field ? { [field.name]: exampleOf(field) } : {};
}
