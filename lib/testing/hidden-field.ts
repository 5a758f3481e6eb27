import { buildAttribute } from '../model/exposure/build-attribute.js';
import { OPEN } from '../model/exposure/field-rights.js';
import { delegateOf } from '../model/schema/delegate-of.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Attribute, Resource } from '../model/surface/surface.js';
import type { ResourceSchema, SchemaKey, SchemaRelationField } from '../model/schema/resource-schema.js';
import type { ResourcesOption } from '../model/exposure/resources-option.js';

/** A field that callers may neither read nor probe. */
export interface HiddenField {
  /** Prisma's model name. */
  readonly model: string;
  /** Prisma's name of a plain field or a relation. */
  readonly field: string;
  /**
   * Stored values of the field. No response may contain one of them, not even within another word, so use long values.
   *
   * @default none
   */
  readonly values?: readonly string[];
  /**
   * Headers of every request, e.g. the credentials of a caller who may read the model. Use a caller with the most rights,
   * because a refusal by a guard counts as a refusal of the field.
   *
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A hidden field with its definition in the Prisma schema, which the resource model does not contain. */
export interface ProbedField {
  readonly schema: ResourceSchema;
  readonly model: ResourceModel;
  readonly field: string;
  /** Its names in REST: Prisma's, and the one of the option `name`. Empty for an `id` that is not the resource's id. */
  readonly members: readonly string[];
  /** A similar name that no field has; undefined if the name is too short for a suggestion. */
  readonly typo: string | undefined;
  /** The model of the field. */
  readonly owner: ProbedModel;
  /** Present for a plain field, with all rights, so that the probes cover every operation on it. */
  readonly attribute?: Attribute;
  /** Present for a relation. */
  readonly relation?: SchemaRelationField;
  /** The unique keys that contain the field. */
  readonly keys: readonly SchemaKey[];
  /** The relations of all models to the model of the field. */
  readonly hops: readonly ProbedRelation[];
}

/** The names of a model in requests. The model may be hidden. */
export interface ProbedModel {
  readonly name: string;
  readonly delegate: string;
  readonly type: string;
  /** Absent if the model is hidden. */
  readonly resource: Resource | undefined;
}

/** A relation from any model to the model of the hidden field. */
export interface ProbedRelation {
  readonly from: ProbedModel;
  readonly name: string;
  readonly member: string;
  readonly many: boolean;
}

/** The schema and the options of the probed module. */
interface SubjectSource {
  readonly schema: ResourceSchema;
  readonly model: ResourceModel;
  readonly resources: ResourcesOption;
}

type FieldPath = Pick<HiddenField, 'model' | 'field'>;

/** Whether a schema has such a field. */
export function isFieldOf({ model, field }: FieldPath, { models }: ResourceSchema): boolean {
  return Object.hasOwn(models, model) && Object.hasOwn(models[model]?.fields ?? {}, field);
}

/**
 * Returns the hidden field and the fields that reveal the same data. For a relation or its foreign key this is the opposite relation: `User.posts`
 * reveals what `Post.authorId` does. For a referenced field these are the foreign keys: `Post.authorId` is a `User.id`.
 */
export function subjectsOf(hidden: FieldPath, source: SubjectSource): readonly ProbedField[] {
  return [hidden, ...otherSides(hidden, source.schema), ...keysTo(hidden, source.schema)].map((path) => subjectOf(path, source));
}

function otherSides({ model, field }: FieldPath, { models }: ResourceSchema): readonly FieldPath[] {
  const fields = Object.entries(models[model]?.fields ?? {});
  const relations = fields.flatMap(([name, own]) => (own.kind === 'relation' ? [{ name, own }] : []));
  const telling = relations.filter(({ name, own }) => {
    if (name === field) return own.foreignKey !== undefined || own.list === true;
    const isShared = relations.filter((other) => other.own.foreignKey?.fields.includes(field)).length > 1;
    return own.foreignKey?.fields.includes(field) === true && (own.foreignKey.fields.length === 1 || !isShared);
  });
  return telling.flatMap(({ own: { type, opposite, foreignKey } }) => {
    const other = opposite === undefined ? undefined : models[type]?.fields[opposite];
    // A list with a to-one opposite has no join table: it belongs to a foreign key.
    const isSame = other?.kind === 'relation' && (foreignKey !== undefined || other.list === true);
    return opposite !== undefined && isSame ? [{ model: type, field: opposite }] : [];
  });
}

/** Returns the foreign keys that reference a field, without columns that several keys share (a `tenantId`). */
function keysTo({ model, field }: FieldPath, { models }: ResourceSchema): readonly FieldPath[] {
  return Object.entries(models).flatMap(([from, { fields }]) => {
    const keys = Object.values(fields).flatMap((own) =>
      own.kind === 'relation' && own.foreignKey ? [{ to: own.type, ...own.foreignKey }] : [],
    );
    const columns = keys.flatMap((key) => key.fields);
    const referring = keys.flatMap((key) => (key.to === model ? (key.fields[key.references.indexOf(field)] ?? []) : []));
    const isShared = (name: string): boolean => columns.filter((column) => column === name).length > 1;
    return referring.filter((name) => !isShared(name)).map((name) => ({ model: from, field: name }));
  });
}

function subjectOf({ model: name, field }: FieldPath, { schema, model, resources }: SubjectSource): ProbedField {
  const definition = schema.models[name];
  const found = definition?.fields[field];
  if (!definition || !found) throw new TypeError(`The schema has no field '${name}.${field}'.`);
  const owner = probedModel(name, model);
  const keys = [...(definition.primaryKey ? [definition.primaryKey] : []), ...definition.uniqueKeys];
  const base = {
    schema,
    model,
    field,
    owner,
    typo: typoOf(field, new Set([...Object.keys(definition.fields), ...(owner.resource?.members.keys() ?? [])])),
    members: namesInRest(owner, field, optionName(resources, name, field)),
    keys: keys.filter(({ fields }) => fields.includes(field)),
    hops: hopsTo(name, schema, model),
  };
  if (found.kind === 'relation') return { ...base, relation: found };
  const enums = new Map(Object.entries(schema.enums).map(([key, { values }]) => [key, new Set(values)]));
  return {
    ...base,
    attribute: buildAttribute(field, found, {
      model: name,
      member: field,
      provider: schema.provider,
      rights: OPEN,
      closed: {},
      enums,
      foreignKeyOf: [],
      primaryKey: [],
    }),
  };
}

/** Minimum length of a name with a typo. Shorter names are similar to too many others. */
const SHORTEST_TYPO = 4;

function typoOf(name: string, known: ReadonlySet<string>): string | undefined {
  if (name.length < SHORTEST_TYPO) return undefined;
  return [name.slice(0, -1), name.slice(1), `${name}q`].find((typo) => !known.has(typo));
}

function hopsTo(target: string, schema: ResourceSchema, model: ResourceModel): readonly ProbedRelation[] {
  return Object.entries(schema.models).flatMap(([name, { fields }]) => {
    const from = probedModel(name, model);
    return Object.entries(fields).flatMap(([relation, field]) => {
      if (field.kind !== 'relation' || field.type !== target) return [];
      return [{ from, name: relation, member: findMemberName(from, relation) ?? relation, many: field.list === true }];
    });
  });
}

function probedModel(name: string, model: ResourceModel): ProbedModel {
  const resource = model.byModel.get(name);
  const delegate = resource?.delegate ?? delegateOf(name);
  return { name, delegate, type: resource?.type ?? delegate, resource };
}

function findMemberName({ resource }: ProbedModel, field: string): string | undefined {
  return resource?.fields.get(field)?.member;
}

/** Returns the names of a field in REST. JSON:API defines the meaning of `id`, so a field called `id` has that name only as the identifier. */
function namesInRest(owner: ProbedModel, field: string, given: string | undefined): readonly string[] {
  const names = [...new Set([field, findMemberName(owner, field), given])].filter((member) => member !== undefined);
  const isId = owner.resource?.identifier.fields.some(({ name }) => name === field) !== false;
  return isId ? names : names.filter((name) => name !== 'id');
}

function optionName(resources: ResourcesOption, model: string, field: string): string | undefined {
  const options = Object.hasOwn(resources, model) ? resources[model] : undefined;
  const fields = typeof options === 'object' ? options.fields : undefined;
  const option = fields && Object.hasOwn(fields, field) ? fields[field] : undefined;
  return typeof option === 'object' ? option.name : undefined;
}
