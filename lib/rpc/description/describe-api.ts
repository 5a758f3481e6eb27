import { WITHOUT_CASE_FOLDING } from '../../model/surface/lacking-databases.js';
import { ownActionsOf } from '../../model/surface/own-actions-of.js';
import { reachesRows } from '../../model/surface/reaches-rows.js';
import { RIGHT_NAMES } from '../../model/surface/rights.js';
import type { Action, Attribute, Field, OwnAction, Relationship, Resource, UniqueKey } from '../../model/surface/surface.js';
import { textFormat } from '../../model/values/text-format.js';
import { exposedOperations } from '../arguments/exposed-operations.js';
import { openNestedWrites } from '../arguments/nested-writes.js';
import type {
  ActionDescription,
  ApiDescription,
  DescribedLimits,
  FieldDescription,
  FieldRight,
  KeyDescription,
  ModelDescription,
  RelationDescription,
} from '../protocol/api-description.js';
import { COUNT, describe, type DescriptionContext, FLAG, listSchema, type Members, schemaOf, TEXT } from './members.js';

/** Describes what a caller can see and do. The context's surface is that of the caller. */
export function describeApi(resources: readonly Resource[], context: DescriptionContext): ApiDescription {
  return describe(API, resources, context);
}

/** A part of a resource, with the resource. */
interface PartOf<Part> {
  readonly part: Part;
  readonly resource: Resource;
}

const RIGHTS = { type: 'array', items: { type: 'string', enum: RIGHT_NAMES } } as const;

const FIELD: Members<FieldDescription, PartOf<Attribute>> = {
  name: { schema: TEXT, of: ({ part }) => part.name },
  type: { schema: TEXT, of: ({ part }) => part.type },
  format: { schema: { type: 'string', enum: ['uuid', 'date'] }, optional: true, of: ({ part }) => textFormat(part) },
  values: { schema: listSchema(TEXT), optional: true, of: ({ part: { enumValues } }) => enumValues && [...enumValues] },
  list: { schema: FLAG, of: ({ part }) => part.list },
  optional: { schema: FLAG, of: ({ part }) => part.optional },
  hasDefault: { schema: FLAG, of: ({ part }) => part.hasDefault },
  unique: { schema: FLAG, of: ({ part, resource }) => [...resource.uniqueKeys.values()].some((key) => isAlone(part, key)) },
  documentation: { schema: TEXT, optional: true, of: ({ part }) => part.documentation },
  rights: { schema: RIGHTS, of: (field, context) => rightsOf(field, context) },
  operators: { schema: listSchema(TEXT), optional: true, of: ({ part: { rights } }) => operatorsOf(rights) },
  caseInsensitive: { schema: FLAG, optional: true, of: (field) => mayFoldCase(field) || undefined },
};

const RELATION: Members<RelationDescription, PartOf<Relationship>> = {
  name: { schema: TEXT, of: ({ part }) => part.name },
  model: { schema: TEXT, of: ({ part }) => part.target.delegate },
  list: { schema: FLAG, of: ({ part }) => part.many },
  optional: { schema: FLAG, of: ({ part }) => part.optional },
  foreignKey: { schema: listSchema(TEXT), optional: true, of: foreignKeyOf },
  references: { schema: listSchema(TEXT), optional: true, of: ({ part: { linkageKey } }) => linkageKey?.references },
  opposite: { schema: TEXT, optional: true, of: ({ part }) => part.opposite },
  rights: { schema: RIGHTS, of: (relation, context) => rightsOf(relation, context) },
};

const KEY: Members<KeyDescription, PartOf<UniqueKey>> = {
  name: { schema: TEXT, of: ({ part }) => part.name },
  fields: { schema: listSchema(TEXT), of: ({ part }) => part.fields.map(({ name }) => name) },
  primary: { schema: FLAG, of: isPrimary },
};

const ACTION: Members<ActionDescription, PartOf<OwnAction>> = {
  name: { schema: TEXT, of: ({ part }) => part.name },
  on: { schema: { type: 'string', enum: ['record', 'collection'] }, of: ({ part }) => part.on },
  body: { schema: { type: 'object' }, optional: true, of: ({ part, resource }, { bodyOf }) => bodyOf(resource.model, part) },
  documentation: { schema: TEXT, optional: true, of: ({ part }) => part.documentation },
};

const MODEL: Members<ModelDescription, Resource> = {
  model: { schema: TEXT, of: ({ delegate }) => delegate },
  type: { schema: TEXT, optional: true, of: (resource) => (isInRest(resource) ? resource.type : undefined) },
  documentation: { schema: TEXT, optional: true, of: ({ documentation }) => documentation },
  operations: { schema: listSchema(TEXT), of: (resource, { surface }) => exposedOperations(resource, surface).map(({ name }) => name) },
  fields: { schema: listSchema(schemaOf(FIELD)), of: (resource, context) => describeParts(FIELD, resource.attributes, resource, context) },
  relations: {
    schema: listSchema(schemaOf(RELATION)),
    of: (resource, context) => describeParts(RELATION, resource.relationships, resource, context),
  },
  keys: {
    schema: listSchema(schemaOf(KEY)),
    of: (resource, context) => describeParts(KEY, openKeys(resource, context), resource, context),
  },
  actions: {
    schema: listSchema(schemaOf(ACTION)),
    of: (resource, context) => describeParts(ACTION, ownActionsOf(resource, context.surface), resource, context),
  },
  version: { schema: TEXT, optional: true, of: ({ version, fields }) => exposed(version?.field, fields) },
  softDelete: {
    schema: { type: 'object', properties: { field: TEXT }, required: ['field'] },
    optional: true,
    of: ({ softDelete, fields }) => {
      const field = exposed(softDelete?.field, fields);
      return field === undefined ? undefined : { field };
    },
  },
};

const LIMIT_MEMBERS: Members<DescribedLimits, undefined> = {
  maxTake: { schema: COUNT, of: (_, { limits }) => finite(limits.maxTake) },
  maxBatchSize: { schema: COUNT, of: (_, { limits }) => finite(limits.maxBatchSize) },
  maxFilterTerms: { schema: COUNT, of: (_, { limits }) => finite(limits.maxFilterTerms) },
  pageSize: { schema: COUNT, optional: true, of: (_, { rest }) => rest && finite(rest.pageSize) },
  maxPageSize: { schema: COUNT, optional: true, of: (_, { rest }) => rest && finite(rest.maxPageSize) },
};

const API: Members<ApiDescription, readonly Resource[]> = {
  models: {
    schema: listSchema(schemaOf(MODEL)),
    of: (resources, context) => resources.map((resource) => describe(MODEL, resource, context)),
  },
  limits: { schema: schemaOf(LIMIT_MEMBERS), of: (_, context) => describe(LIMIT_MEMBERS, undefined, context) },
};

/** The schema of a description. */
export const API_DESCRIPTION_SCHEMA = schemaOf(API);

function describeParts<Description, Part>(
  members: Members<Description, PartOf<Part>>,
  parts: readonly Part[],
  resource: Resource,
  context: DescriptionContext,
): readonly Description[] {
  return parts.map((part) => describe(members, { part, resource }, context));
}

/** The action that a caller needs for a right of a field. Filters also need the right to read. */
const ACTION_OF: Readonly<Record<FieldRight, Action>> = { read: 'read', filter: 'read', sort: 'read', create: 'create', update: 'update' };

function rightsOf({ part, resource }: PartOf<Field>, { surface }: DescriptionContext): readonly FieldRight[] {
  return RIGHT_NAMES.filter((right) => reachesRows(surface, resource, ACTION_OF[right]) && isOpen(part, right));
}

/** Whether a right is allowed. Reading over a relation needs the right to read its target, and writing over it a nested write that is allowed. */
function isOpen(field: Field, right: FieldRight): boolean {
  if (field.rights[right] === false) return false;
  if (field.kind === 'attribute') return true;
  return right === 'create' || right === 'update' ? openNestedWrites(field, right).length > 0 : field.target.actions.has('read');
}

function operatorsOf({ filter }: Field['rights']): readonly string[] | undefined {
  return typeof filter === 'boolean' ? undefined : [...filter];
}

/** Whether a filter of the field may ignore the letter case. */
function mayFoldCase({ part: { type, list, lacks, rights }, resource: { database } }: PartOf<Attribute>): boolean {
  if (type !== 'String' || list || rights.filter === false) return false;
  return lacks?.has('folding') !== true && !WITHOUT_CASE_FOLDING.has(database.provider);
}

/** Returns the keys that may identify a record. A request that names a record needs the right to read it. */
function openKeys(resource: Resource, { surface }: DescriptionContext): readonly UniqueKey[] {
  return reachesRows(surface, resource, 'read') ? [...resource.uniqueKeys.values()] : [];
}

function isAlone({ name }: Attribute, { fields }: UniqueKey): boolean {
  return fields.length === 1 && fields[0]?.name === name;
}

function isPrimary({ part: { fields }, resource: { attributes } }: PartOf<UniqueKey>): boolean {
  const parts = attributes.filter(({ primaryKey }) => primaryKey !== 'no');
  return fields.length === parts.length && fields.every((field) => parts.some(({ name }) => name === field.name));
}

function foreignKeyOf({ part: { name, link }, resource }: PartOf<Relationship>): readonly string[] | undefined {
  if (link !== 'own-key') return undefined;
  const fields = resource.attributes.filter(({ foreignKeyOf: relations }) => relations.includes(name)).map((attribute) => attribute.name);
  return fields.length > 0 ? fields : undefined;
}

/** Whether REST serves the resource. It needs an id for that. */
function isInRest({ idDivider, identifier }: Resource): boolean {
  return idDivider !== undefined && identifier.fields.length > 0;
}

/** Returns a name if it is that of an exposed field. */
function exposed(name: string | undefined, fields: Resource['fields']): string | undefined {
  return name !== undefined && fields.has(name) ? name : undefined;
}

/** Returns a limit as JSON can write it. */
function finite(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER);
}
