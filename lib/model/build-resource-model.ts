import { ConfigurationProblems } from '../errors/configuration-problems.js';
import { buildAttribute } from './exposure/build-attribute.js';
import { buildComputed } from './exposure/computed-fields.js';
import { findUnfillable, requiredMembers } from './exposure/find-unfillable.js';
import { checkResourcesOption } from './exposure/check-resources-option.js';
import { type Exposure, resolveExposure, shownVersion, versionsOf } from './exposure/exposure.js';
import { findUnreadable } from './exposure/find-unreadable.js';
import { warnOfUnopened } from './exposure/opens-model.js';
import { linkableOf, linkOf } from './link-of.js';
import { frozenMap, frozenSet } from './freeze.js';
import { addressableKeys, chooseIdentifier, clientIdsOf, readableIdentifier, warnOfNoIdentifier } from './exposure/identifier.js';
import { delegateOf } from './schema/delegate-of.js';
import { checkClashes, membersOf, type NameCheck, typeOf } from './exposure/naming.js';
import type { DatabaseProvider, ResourceSchema, SchemaField, SchemaKey, SchemaRelationField } from './schema/resource-schema.js';
import type { ResourcesOption } from './exposure/resources-option.js';
import type { ResourceModel } from './resource-model.js';
import { shownSoftDelete } from './exposure/soft-delete.js';
import { resolveGrants } from './exposure/settle-grants.js';
import { buildStorage } from './storage/build-storage.js';
import type { Storage } from './storage/storage.js';
import type {
  Attribute,
  ClosedRights,
  Field,
  LinkageKey,
  Relationship,
  Resource,
  ResourceDatabase,
  Rights,
  UniqueKey,
} from './surface/surface.js';
import { ConfigurationError } from '../errors/configuration-error.js';

/** Options of {@link buildResourceModel}. */
export interface ResourceModelOptions {
  /** Exposure and naming. @default everything open */
  readonly resources?: ResourcesOption;
  /** Whether ambiguous names are errors instead of warnings. @default false */
  readonly strict?: boolean;
  /** The separator between the parts of an id in URLs, as in {@link Resource}. */
  readonly idDivider?: string;
  /** The names of the option `grants`. Without them, `resources` may name any grant. */
  readonly grants?: readonly string[];
  /** The grants of the callers that the model is built for. @default none */
  readonly held?: ReadonlySet<string>;
  /**
   * The storage view of the model with all grants. It is shared, because it contains all versions and is the key of caches. By default, a
   * new one is built.
   */
  readonly storage?: Storage;
}

/** The model, with warnings for the application. */
export interface BuiltResourceModel {
  readonly model: ResourceModel;
  /** The model of REST: without models that have no id, and without the relations to them. */
  readonly restModel: ResourceModel;
  /** Warnings for the boot log, of one or two sentences each. */
  readonly warnings: readonly string[];
  /** Warnings that concern only REST. */
  readonly restWarnings: readonly string[];
}

/**
 * Builds the resource model from the generated schema metadata, once at boot: exposure first, then names, then relationships between
 * resources.
 *
 * @throws ConfigurationError for options that do not fit the schema or each other, with the required change
 *
 * @example
 * const { model, warnings } = buildResourceModel(resourceSchema, { resources: { AuditLog: 'hidden' } });
 */
export function buildResourceModel(schema: ResourceSchema, options: ResourceModelOptions = {}): BuiltResourceModel {
  checkVersion(schema);
  const { resources = {}, strict = false, held = NO_GRANTS, idDivider } = options;
  checkResourcesOption(resources, schema, options.grants);
  const settled = resolveGrants(resources, held);
  const enums = new Map(Object.entries(schema.enums).map(([name, { values }]) => [name, frozenSet(values)]));
  const shared = { enums, database: Object.freeze({ provider: schema.provider, orm: schema.orm ?? 'prisma' }), idDivider };
  const check: NameCheck = { strict, warnings: [] };
  const exposures = resolveExposure(schema, settled);
  const storage = options.storage ?? buildStorage(schema, versionsOf(exposures));
  const model = toModel(storage, buildResources(exposures, shared, check));
  const keyless = [...exposures.values()].filter(({ model: name }) => model.byModel.get(name)?.identifier.fields.length === 0);
  const ofRest = (): readonly Resource[] => buildResources(without(keyless, exposures), shared, { strict, warnings: [] });
  return {
    model,
    restModel: keyless.length === 0 ? model : toModel(storage, ofRest()),
    warnings: [
      ...check.warnings,
      ...warnOfUnopened(schema, settled.resources),
      ...findUnfillable(exposures.values()),
      ...findUnreadable(exposures.values(), schema),
    ],
    restWarnings: keyless.map(warnOfNoIdentifier),
  };
}

function buildResources(exposures: Exposures, shared: Shared, check: NameCheck): readonly Resource[] {
  const problems = new ConfigurationProblems();
  const drafts = new Map(
    [...exposures].flatMap(([model, exposure]) => {
      const draft = problems.collect(() => draftResource(exposure, shared, check));
      return draft ? [[model, draft] as const] : [];
    }),
  );
  problems.collect(() => {
    checkClashes([...drafts.values()].map(({ resource }) => resource));
  });
  problems.throwAny();
  for (const draft of drafts.values()) linkResource(draft, drafts);
  return [...drafts.values()].map(({ resource }) => Object.freeze(resource));
}

type Exposures = ReadonlyMap<string, Exposure>;

/** Returns the exposure without some models and the relations to them. */
function without(models: readonly Exposure[], exposures: Exposures): Exposures {
  const names = new Set(models.map(({ model }) => model));
  const others = [...exposures].filter(([model]) => !names.has(model));
  return new Map(
    others.map(([model, exposure]) => {
      const rights = [...exposure.rights].filter(([name]) => {
        const field = exposure.schema.fields[name];
        return field?.kind !== 'relation' || !names.has(field.type);
      });
      return [model, { ...exposure, rights: new Map(rights) }];
    }),
  );
}

/** A resource under construction. Only its relationships are missing, because they need the other resources. */
interface Draft {
  readonly exposure: Exposure;
  readonly members: ReadonlyMap<string, string>;
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly resource: { -readonly [Member in keyof Resource]: Resource[Member] };
}

type Drafts = ReadonlyMap<string, Draft>;

/** Values that all resources share. */
interface Shared {
  readonly enums: ReadonlyMap<string, ReadonlySet<string>>;
  readonly database: ResourceDatabase;
  readonly idDivider: string | undefined;
}

function draftResource(exposure: Exposure, { enums, database, idDivider }: Shared, check: NameCheck): Draft {
  const { model, options } = exposure;
  const chosen = chooseIdentifier(exposure);
  const key = chosen ?? NO_KEY;
  const members = membersOf(exposure, key.fields, check);
  const attributes = attributesOf(exposure, { key, members, enums, provider: database.provider });
  const computed = Object.freeze(buildComputed(exposure));
  const identifier = chosen ? readableIdentifier(exposure, chosen, attributes) : NO_IDENTIFIER;
  const resource: Draft['resource'] = {
    model,
    delegate: delegateOf(model),
    database,
    type: typeOf(exposure, check),
    ...(exposure.schema.documentation !== undefined && { documentation: exposure.schema.documentation }),
    actions: frozenSet(exposure.actions),
    clientIds: clientIdsOf(exposure, identifier),
    identifier,
    ...(idDivider !== undefined && { idDivider }),
    uniqueKeys: addressableKeys(exposure, attributes),
    fields: new Map(),
    members: new Map(),
    attributes: Object.freeze([...attributes.values(), ...computed]),
    computed,
    relationships: [],
    required: { attributes: [], inDocument: [], relationships: [] },
    ...shownVersion(exposure, attributes.values()),
    ...(options.pagination === 'cursor' && { pagination: 'cursor' }),
    ...shownSoftDelete(options),
    ...(options.validate && { validate: Object.freeze({ ...options.validate }) }),
  };
  return { exposure, members, attributes, resource };
}

const NO_KEY: SchemaKey = { name: '', fields: [] };
const NO_IDENTIFIER: UniqueKey = Object.freeze({ name: '', fields: Object.freeze([]) });

interface AttributeSources {
  readonly key: SchemaKey;
  readonly members: ReadonlyMap<string, string>;
  readonly enums: ReadonlyMap<string, ReadonlySet<string>>;
  readonly provider: DatabaseProvider;
}

function attributesOf(exposure: Exposure, { key, members, enums, provider }: AttributeSources): ReadonlyMap<string, Attribute> {
  const attributes = new Map<string, Attribute>();
  const relations = exposedFields(exposure).flatMap(({ name, field }) => (field.kind === 'relation' ? { name, field } : []));
  const primaryKey = (exposure.schema.primaryKey ?? key).fields;
  for (const { name, field, rights, closed } of exposedFields(exposure)) {
    if (field.kind === 'relation') continue;
    const foreignKeyOf = relations.filter((relation) => relation.field.foreignKey?.fields.includes(name)).map((relation) => relation.name);
    const member = members.get(name) ?? name;
    attributes.set(
      name,
      buildAttribute(name, field, { model: exposure.model, member, rights, closed, enums, foreignKeyOf, primaryKey, provider }),
    );
  }
  return attributes;
}

interface ExposedField {
  readonly name: string;
  readonly field: SchemaField;
  readonly rights: Rights;
  readonly closed: ClosedRights;
}

function exposedFields({ schema, rights, closed }: Exposure): readonly ExposedField[] {
  return Object.entries(schema.fields).flatMap(([name, field]) => {
    const own = rights.get(name);
    return own ? { name, field, rights: Object.freeze(own), closed: Object.freeze({ ...closed.get(name) }) } : [];
  });
}

/** Completes a draft: sets its fields in schema order, computed ones last, and links its relationships to the other resources. */
function linkResource(draft: Draft, drafts: Drafts): void {
  const { resource } = draft;
  const ofSchema = exposedFields(draft.exposure).flatMap((exposed): Field[] => {
    if (exposed.field.kind !== 'relation') return [draft.attributes.get(exposed.name)].filter((field) => field !== undefined);
    const target = drafts.get(exposed.field.type);
    return target ? [buildRelationship(exposed.field, { ...exposed, draft, target })] : [];
  });
  const fields = [...ofSchema, ...resource.computed];
  resource.fields = frozenMap(fields.map((field) => [field.name, field]));
  resource.members = frozenMap(fields.map((field) => [field.member, field]));
  resource.relationships = Object.freeze(fields.filter((field) => field.kind === 'relationship'));
  resource.required = requiredMembers(resource);
}

interface RelationshipSetting {
  readonly name: string;
  readonly rights: Rights;
  readonly closed: ClosedRights;
  readonly draft: Draft;
  readonly target: Draft;
}

function buildRelationship(field: SchemaRelationField, { name, rights, closed, draft, target }: RelationshipSetting): Relationship {
  const { opposite } = field;
  const link = linkOf(field, target.exposure);
  const linkageKey = linkageKeyOf(field, draft, target);
  return Object.freeze({
    kind: 'relationship',
    model: draft.resource.model,
    name,
    member: draft.members.get(name) ?? name,
    optional: field.optional === true,
    rights,
    closed,
    many: field.list === true,
    target: target.resource,
    link,
    linkable: linkableOf({ ...field, link, isKeyed: linkageKey !== undefined }, target.exposure),
    ...(opposite !== undefined && target.exposure.rights.has(opposite) && { opposite }),
    ...(linkageKey && { linkageKey }),
    ...(field.documentation !== undefined && { documentation: field.documentation }),
  });
}

/** Returns the foreign key if it references the target's id and its fields are exposed. */
function linkageKeyOf({ foreignKey }: SchemaRelationField, draft: Draft, { resource: { identifier } }: Draft): LinkageKey | undefined {
  if (foreignKey?.references.length !== identifier.fields.length) return undefined;
  const { fields, references } = foreignKey;
  const isId = identifier.fields.every(({ name }) => references.includes(name));
  if (!isId || !fields.every((name) => draft.attributes.has(name))) return undefined;
  return Object.freeze({ fields: Object.freeze([...fields]), references: Object.freeze([...references]) });
}

const NO_GRANTS: ReadonlySet<string> = new Set();

function toModel(storage: Storage, resources: readonly Resource[]): ResourceModel {
  return Object.freeze({
    provider: storage.provider,
    storage,
    resources: Object.freeze(resources),
    byType: frozenMap(resources.map((resource) => [resource.type.toLowerCase(), resource])),
    byDelegate: frozenMap(resources.map((resource) => [resource.delegate.toLowerCase(), resource])),
    byModel: frozenMap(resources.map((resource) => [resource.model, resource])),
  });
}

/** @throws ConfigurationError for a schema of another format version */
function checkVersion(schema: ResourceSchema): void {
  // Another version of the generator may have written the file, so the declared type is not reliable.
  const version: number | undefined = (schema as Partial<ResourceSchema> | undefined)?.version;
  if (version === 2) return;
  throw new ConfigurationError(
    version === undefined
      ? 'The option `schema` is not a generated resource schema.'
      : `The resource schema has version ${version}, and this package reads version 2.`,
    'Run `prisma generate` with the generator of the installed nestjs-resource-api, and pass its `resourceSchema`.',
  );
}
