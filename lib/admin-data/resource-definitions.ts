import type { ActionDescription, FieldDescription, FieldRight, RelationDescription } from '../rpc/protocol/api-description.js';
import type { AdminClient } from './admin-client.js';
import { type DescribedApi, type DescribedModel, DescriptionSource } from './described-api.js';
import { toHttpError } from './http-error.js';

/**
 * What an input edits.
 *
 * - `text`, `boolean` and `json`
 * - `number`: Int and Float; `decimal`: BigInt and Decimal, as texts, because numbers of JavaScript lose their digits
 * - `date`: `2026-01-02`; `dateTime`: ISO 8601; `bytes`: base64
 * - `select`: one of `choices`
 * - `reference`: the id of one record of the resource `reference`
 * - `references`: the ids of several records of it, which a record has if it is read with `meta: { ids }` of its resource
 * - `referencing`: the records of it that refer to this one by their `target`: a list for `getManyReference`, and no input
 */
export type InputKind =
  | 'text'
  | 'boolean'
  | 'json'
  | 'number'
  | 'decimal'
  | 'date'
  | 'dateTime'
  | 'bytes'
  | 'select'
  | 'reference'
  | 'references'
  | 'referencing';

/** A field, or a relation, of a resource. */
export interface ResourceField {
  /** The name in records: that of the foreign key for a `reference` of one field, otherwise of the field or relation. */
  readonly source: string;
  readonly kind: InputKind;
  /** Whether the value is a list. */
  readonly list: boolean;
  /** Whether a create needs a value. */
  readonly required: boolean;
  readonly documentation?: string;
  /** The values of a `select`. */
  readonly choices?: readonly { readonly id: string; readonly name: string }[];
  /** The resource that the field refers to. */
  readonly reference?: string;
  /** The `target` of `getManyReference`. */
  readonly target?: string;
  /** What the caller may do with the field. */
  readonly may: Readonly<Record<FieldRight, boolean>>;
}

/** A resource, as far as the caller can see it. */
export interface ResourceDefinition {
  readonly name: string;
  readonly documentation?: string;
  /** What the caller may do with records. */
  readonly may: Readonly<Record<'list' | 'show' | 'create' | 'edit' | 'delete', boolean>>;
  /** The field whose value names a record for people: its first text, or `id`. */
  readonly representation: string;
  readonly fields: readonly ResourceField[];
  /** The value of `meta.ids` with which records have the ids of all their references. */
  readonly ids: readonly string[];
  /** The actions of the application, and `restore`. */
  readonly actions: readonly ActionDescription[];
}

/**
 * Returns the resources of an API as far as the caller can see them, as plain data: an admin interface is a loop over it.
 *
 * @throws HttpError if the description cannot be fetched
 * @example
 * const resources = await resourceDefinitions(createRpcClient({ endpoint: '/api/rpc' }));
 */
export async function resourceDefinitions(client: AdminClient): Promise<ResourceDefinition[]> {
  const source = DescriptionSource.of(client);
  // Another user may have logged in since the last call.
  source.expire();
  const api = await source.current().catch((error: unknown) => {
    throw toHttpError(error);
  });
  return [...api.models.values()].map((model) => definitionOf(model, api));
}

/** The operation that each page of an admin interface needs. */
export const OPERATION_OF = { list: 'findMany', show: 'findUnique', create: 'create', edit: 'update', delete: 'delete' } as const;

function definitionOf(model: DescribedModel, api: DescribedApi): ResourceDefinition {
  const { operations, documentation, actions, idFields } = model;
  const hasId = idFields.length > 0;
  const may = (page: keyof typeof OPERATION_OF): boolean => operations.includes(OPERATION_OF[page]) && (hasId || page === 'create');
  const relations = model.relations.map((relation) => relationField(relation, model, api));
  const keys = new Set(relations.flatMap(({ kind, source }) => (kind === 'reference' ? [source] : [])));
  const fields = model.fields.filter(({ name }) => !keys.has(name)).map((field) => plainField(field, model));
  return {
    name: model.model,
    ...(documentation !== undefined && { documentation }),
    may: { list: may('list'), show: may('show'), create: may('create'), edit: may('edit'), delete: may('delete') },
    representation: representationOf(model),
    fields: [...fields, ...relations].filter(isUseful),
    ids: relations.flatMap(({ source, kind, may: { read } }) => (read && kind !== 'referencing' && !model.fieldOf(source) ? [source] : [])),
    actions,
  };
}

/** Whether the caller can do something with a field. Records that refer to this one can be listed only by a relation back. */
function isUseful({ kind, target, may }: ResourceField): boolean {
  if (kind === 'referencing') return may.read && target !== undefined;
  return Object.values(may).includes(true);
}

function representationOf({ fields, idFields }: DescribedModel): string {
  const texts = fields.filter(
    ({ type, list, format, rights }) => type === 'String' && !list && format === undefined && rights.includes('read'),
  );
  const named = NAMES.flatMap((name) => texts.filter((field) => field.name === name));
  const own = texts.filter(({ optional, name }) => !optional && !idFields.some((field) => field.name === name));
  return [...named, ...own][0]?.name ?? 'id';
}

/** Names of fields that usually name a record. */
const NAMES = ['name', 'title', 'label'];

function plainField(field: FieldDescription, { version }: DescribedModel): ResourceField {
  const { name, values, list, optional, hasDefault, rights, documentation } = field;
  return {
    source: name,
    kind: KIND_OF[field.format ?? ''] ?? KIND_OF[field.type] ?? 'text',
    list,
    required: !optional && !hasDefault && name !== version && rights.includes('create'),
    ...(documentation !== undefined && { documentation }),
    ...(values && { choices: values.map((value) => ({ id: value, name: value })) }),
    may: mayOf(rights),
  };
}

const KIND_OF: Readonly<Record<string, InputKind>> = {
  Int: 'number',
  Float: 'number',
  BigInt: 'decimal',
  Decimal: 'decimal',
  Boolean: 'boolean',
  DateTime: 'dateTime',
  date: 'date',
  Json: 'json',
  Bytes: 'bytes',
  Enum: 'select',
};

function relationField(relation: RelationDescription, model: DescribedModel, api: DescribedApi): ResourceField {
  const { list, opposite } = relation;
  const target = api.models.get(relation.model);
  const keyField = idFieldOf(relation, model, target);
  const { name: source, rights } = keyField ?? relation;
  return {
    source,
    kind: list ? kindOfMany(target, opposite) : 'reference',
    list,
    required: isRequired(relation, keyField) && rights.includes('create'),
    reference: relation.model,
    ...(list && opposite !== undefined && { target: opposite }),
    may: mayOf(rights),
  };
}

function kindOfMany(target: DescribedModel | undefined, opposite = ''): InputKind {
  return target?.relationOf(opposite)?.list === true ? 'references' : 'referencing';
}

function isRequired({ list, optional, foreignKey }: RelationDescription, keyField: FieldDescription | undefined): boolean {
  return !list && !optional && foreignKey !== undefined && keyField?.hasDefault !== true;
}

/** Returns the foreign key whose value is the id of the related record. */
function idFieldOf(
  { foreignKey = [], references }: RelationDescription,
  model: DescribedModel,
  target: DescribedModel | undefined,
): FieldDescription | undefined {
  const [key = '', ...others] = foreignKey;
  const [id, ...parts] = target?.idFields ?? [];
  if (others.length > 0 || parts.length > 0 || id === undefined || references?.[0] !== id.name) return undefined;
  return model.fieldOf(key);
}

function mayOf(rights: FieldDescription['rights']): ResourceField['may'] {
  const has = (right: (typeof rights)[number]): boolean => rights.includes(right);
  return { read: has('read'), filter: has('filter'), sort: has('sort'), create: has('create'), update: has('update') };
}
