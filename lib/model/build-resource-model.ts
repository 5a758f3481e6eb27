import { ConfigurationError } from '../errors/configuration-error.js';
import { buildAttribute } from './build-attribute.js';
import { buildTable } from './build-table.js';
import { checkResourcesOption } from './check-resources-option.js';
import { type Exposure, resolveExposure } from './exposure.js';
import { findUnfillable } from './find-unfillable.js';
import { frozenMap, frozenSet } from './freeze.js';
import { addressableKeys, chooseIdentifier, clientIdsOf, readableIdentifier } from './identifier.js';
import { checkClashes, delegateOf, membersOf, type NameCheck, typeOf } from './naming.js';
import {
  type Attribute,
  type Field,
  type Relationship,
  type Resource,
  type ResourceDatabase,
  type ResourceModel,
  type Rights,
} from './resource-model.js';
import { type ResourceSchema, type SchemaField, type SchemaKey, type SchemaRelationField } from './resource-schema.js';
import { type ResourcesOption } from './resources-option.js';

/** What {@link buildResourceModel} takes beside the schema. */
export interface ResourceModelOptions {
  /** Exposure and naming. @default everything open */
  readonly resources?: ResourcesOption;
  /** Whether doubtful names are errors instead of warnings (decision D10). @default false */
  readonly strict?: boolean;
}

/** The model, and what its host should look at. */
export interface BuiltResourceModel {
  readonly model: ResourceModel;
  /** One sentence or two each, for the boot log. */
  readonly warnings: readonly string[];
}

/**
 * Builds the resource model from the generated schema metadata, once at boot: exposure first, then names, then the links between resources.
 *
 * @throws ConfigurationError for options that do not fit the schema or each other; it says what to change
 *
 * @example
 * const { model, warnings } = buildResourceModel(resourceSchema, { resources: { AuditLog: 'hidden' } });
 */
export function buildResourceModel(schema: ResourceSchema, options: ResourceModelOptions = {}): BuiltResourceModel {
  checkVersion(schema);
  const { resources = {}, strict = false } = options;
  checkResourcesOption(resources, schema);
  const check: NameCheck = { strict, warnings: [] };
  const enums = new Map(Object.entries(schema.enums).map(([name, values]) => [name, frozenSet(values)]));
  const shared = { enums, database: Object.freeze({ provider: schema.provider, orm: schema.orm ?? 'prisma' }) };
  const exposures = resolveExposure(schema, resources);
  const drafts = new Map([...exposures].map(([model, exposure]) => [model, draftResource(exposure, shared, check)]));
  checkClashes([...drafts.values()].map(({ resource }) => resource));
  for (const draft of drafts.values()) linkResource(draft, drafts);
  const linked = [...drafts.values()].map(({ resource }) => Object.freeze(resource));
  return { model: toModel(schema, linked), warnings: [...check.warnings, ...findUnfillable(exposures.values())] };
}

function checkVersion(schema: ResourceSchema): void {
  // The file may come from another version of the generator, whatever its type says.
  const version: number | undefined = (schema as Partial<ResourceSchema> | undefined)?.version;
  if (version === 1) return;
  throw new ConfigurationError(
    version === undefined
      ? 'The option `schema` is not a generated resource schema.'
      : `The resource schema has version ${version}, and this package reads version 1.`,
    'Run `prisma generate` with the generator of the installed nestjs-resource-api, and pass its `resourceSchema`.',
  );
}

/** A resource under construction: complete but for its relationships, which need all other resources to be there. */
interface Draft {
  readonly exposure: Exposure;
  readonly members: ReadonlyMap<string, string>;
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly resource: { -readonly [Member in keyof Resource]: Resource[Member] };
}

type Drafts = ReadonlyMap<string, Draft>;

/** What all resources have in common. */
interface Shared {
  readonly enums: ReadonlyMap<string, ReadonlySet<string>>;
  readonly database: ResourceDatabase;
}

function draftResource(exposure: Exposure, { enums, database }: Shared, check: NameCheck): Draft {
  const { model, options, schema } = exposure;
  const key = chooseIdentifier(exposure);
  const members = membersOf(exposure, key.fields, check);
  const attributes = attributesOf(exposure, { key, members, enums });
  const identifier = readableIdentifier(exposure, key, attributes);
  const resource: Draft['resource'] = {
    model,
    delegate: delegateOf(model),
    database,
    type: typeOf(exposure, check),
    actions: frozenSet(exposure.actions),
    clientIds: clientIdsOf(exposure, identifier),
    identifier,
    orderKeys: Object.freeze([...(schema.primaryKey ?? key).fields]),
    uniqueKeys: addressableKeys(exposure, attributes),
    fields: new Map(),
    members: new Map(),
    attributes: Object.freeze([...attributes.values()]),
    relationships: [],
    unreadable: unreadableFields(exposure),
    table: buildTable(model, schema, database.provider),
    ...(options.validate && { validate: Object.freeze({ ...options.validate }) }),
  };
  return { exposure, members, attributes, resource };
}

interface AttributeSources {
  readonly key: SchemaKey;
  readonly members: ReadonlyMap<string, string>;
  readonly enums: ReadonlyMap<string, ReadonlySet<string>>;
}

function attributesOf(exposure: Exposure, { key, members, enums }: AttributeSources): ReadonlyMap<string, Attribute> {
  const attributes = new Map<string, Attribute>();
  const relations = exposedFields(exposure).flatMap(({ name, field }) => (field.kind === 'relation' ? { name, field } : []));
  // What is said of client ids holds however an id is spelled, in RPC too; what is left unsaid concerns JSON:API's member `id` only.
  const hasClosedIds = exposure.options.clientIds === 'forbidden';
  for (const { name, field, rights: own } of exposedFields(exposure)) {
    if (field.kind === 'relation') continue;
    const foreignKeyOf = relations.filter((relation) => relation.field.foreignKey?.fields.includes(name)).map((relation) => relation.name);
    const rights = hasClosedIds && key.fields.includes(name) ? Object.freeze({ ...own, create: false, update: false }) : own;
    attributes.set(name, buildAttribute(name, field, { member: members.get(name) ?? name, rights, enums, foreignKeyOf }));
  }
  return attributes;
}

function unreadableFields({ schema, rights }: Exposure): readonly string[] {
  const values = Object.entries(schema.fields).filter(([, field]) => field.kind !== 'relation');
  return Object.freeze(values.map(([name]) => name).filter((name) => rights.get(name)?.read !== true));
}

interface ExposedField {
  readonly name: string;
  readonly field: SchemaField;
  readonly rights: Rights;
}

function exposedFields({ schema, rights }: Exposure): readonly ExposedField[] {
  return Object.entries(schema.fields).flatMap(([name, field]) => {
    const own = rights.get(name);
    return own ? { name, field, rights: Object.freeze(own) } : [];
  });
}

/** Completes a draft: its fields in schema order, with relationships to the other resources. */
function linkResource(draft: Draft, drafts: Drafts): void {
  const fields = exposedFields(draft.exposure).flatMap((exposed): Field[] => {
    if (exposed.field.kind !== 'relation') return [draft.attributes.get(exposed.name)].filter((field) => field !== undefined);
    const target = drafts.get(exposed.field.type);
    return target ? [buildRelationship(exposed.field, { ...exposed, draft, target })] : [];
  });
  const { resource } = draft;
  resource.fields = frozenMap(fields.map((field) => [field.name, field]));
  resource.members = frozenMap(fields.map((field) => [field.member, field]));
  resource.relationships = Object.freeze(fields.filter((field) => field.kind === 'relationship'));
}

interface RelationshipSetting {
  readonly name: string;
  readonly rights: Rights;
  readonly draft: Draft;
  readonly target: Draft;
}

function buildRelationship(field: SchemaRelationField, { name, rights, draft, target }: RelationshipSetting): Relationship {
  const { foreignKey, opposite } = field;
  return Object.freeze({
    kind: 'relationship',
    name,
    member: draft.members.get(name) ?? name,
    optional: field.optional === true,
    rights,
    many: field.list === true,
    target: target.resource,
    joinTable: hasJoinTable(field, target.exposure),
    ...(opposite !== undefined && target.exposure.rights.has(opposite) && { opposite }),
    ...(foreignKey && {
      foreignKey: Object.freeze({ fields: Object.freeze([...foreignKey.fields]), references: Object.freeze([...foreignKey.references]) }),
    }),
  });
}

/** In an implicit many-to-many relation both sides are lists. */
function hasJoinTable({ list, opposite }: SchemaRelationField, { schema }: Exposure): boolean {
  return list === true && opposite !== undefined && schema.fields[opposite]?.list === true;
}

function toModel(schema: ResourceSchema, resources: readonly Resource[]): ResourceModel {
  return Object.freeze({
    provider: schema.provider,
    resources: Object.freeze(resources),
    byType: frozenMap(resources.map((resource) => [resource.type.toLowerCase(), resource])),
    byDelegate: frozenMap(resources.map((resource) => [resource.delegate.toLowerCase(), resource])),
    byModel: frozenMap(resources.map((resource) => [resource.model, resource])),
  });
}
