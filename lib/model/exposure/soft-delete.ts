import { checkAll } from '../../errors/check-all.js';
import { ConfigurationError } from '../../errors/configuration-error.js';
import { isObject } from '../../utils/is-object.js';
import { checkList, checkName, checkNames, checkString, mistyped } from '../check-option.js';
import type { ResourceSchema, SchemaField, SchemaModel, SchemaScalarField } from '../schema/resource-schema.js';
import type { Resource } from '../surface/surface.js';
import type { ResolvedOptions } from './exposed-model.js';
import { isGranted } from './granted.js';
import { ownOption } from './own-option.js';
import type { ResourceOptions, ResourcesOption, SoftDeleteOption } from './resources-option.js';

/** Returns the option `softDelete` of a model in its long form; undefined for a model without it. */
export function softDeleteOf<Right>(
  options: Pick<ResourceOptions<SchemaModel, Right>, 'softDelete'>,
): SoftDeleteOption<string, Right> | undefined {
  const { softDelete } = options;
  return typeof softDelete === 'string' ? { field: softDelete } : softDelete;
}

/** Returns the soft-delete settings of a resource, after grants have been resolved. */
export function shownSoftDelete(options: ResolvedOptions): Pick<Resource, 'softDelete'> {
  const { field, show } = softDeleteOf(options) ?? {};
  return field === undefined ? {} : { softDelete: Object.freeze({ field, isShown: show === true }) };
}

/** The names that the option may contain. */
interface Nameable {
  readonly model: string;
  readonly schema: ResourceSchema;
  readonly resources: ResourcesOption;
  /** The names of the option `grants`; undefined where they are not available. */
  readonly grants: readonly string[] | undefined;
}

const KEYS: readonly (keyof SoftDeleteOption)[] = ['field', 'cascade', 'show'];

/**
 * Checks the option `softDelete` of a model.
 *
 * @throws ConfigurationError
 */
export function checkSoftDelete(options: ResourceOptions, nameable: Nameable): void {
  const { softDelete } = options;
  if (softDelete === undefined) return;
  const place = `resources.${nameable.model}.softDelete`;
  if (typeof softDelete !== 'string' && !isObject(softDelete))
    throw mistyped(place, softDelete, 'the name of a field, or { field, cascade, show }');
  const { field, cascade = [], show } = softDeleteOf(options) ?? { field: '' };
  const known = Object.keys(nameable.schema.models[nameable.model]?.fields ?? {});
  checkAll([
    () => {
      if (typeof softDelete !== 'string') checkNames(softDelete, { place, known: KEYS, kind: 'part of it', all: 'The parts are' });
    },
    () => {
      checkString(typeof softDelete === 'string' ? place : `${place}.field`, field);
      checkName(field, { place, known, kind: 'field of the model', all: 'Its fields are' });
      checkField(field, options, nameable);
    },
    () => {
      checkCascade(`${place}.cascade`, { field, cascade }, nameable);
    },
    () => {
      if (show !== undefined) checkShow(`${place}.show`, show, nameable.grants);
    },
  ]);
}

function checkField(name: string, { fields }: ResourceOptions, { model, schema }: Nameable): void {
  const problem = problemOf(schema.models[model]?.fields[name]);
  const place = `${model}.${name}`;
  if (problem !== undefined)
    throw new ConfigurationError(
      `${place} cannot say when a record was deleted: ${problem}.`,
      "Name a field such as 'deletedAt DateTime?'.",
    );
  const option: unknown = ownOption(fields, name);
  const opened = isObject(option)
    ? (['value', 'create', 'update'] as const).find((right) => isSaid(Reflect.get(option, right)))
    : undefined;
  if (opened === undefined) return;
  throw new ConfigurationError(
    `resources.${model}.fields.${name} says '${opened}', and deleting records sets the field (softDelete).`,
    `Remove '${opened}': clients cannot write it.`,
  );
}

function isSaid(right: unknown): boolean {
  return right === true || isGranted(right) || (isObject(right) && !isGranted(right));
}

function problemOf(field: SchemaField | undefined): string | undefined {
  if (field?.kind !== 'scalar' || field.type !== 'DateTime') return 'it is no DateTime';
  if (field.list === true) return 'it is a list';
  if (field.optional !== true) return 'it may not be null, as it is of what is not deleted';
  const { nativeType: [type] = [''] } = field;
  if (DAYS_AND_TIMES.has(type)) return `@db.${type} keeps no moment`;
  return isFilled(field) ? 'it has a default, so that new records would be deleted ones' : undefined;
}

function isFilled(field: SchemaScalarField): boolean {
  return field.default !== undefined || field.updatedAt === true;
}

const DAYS_AND_TIMES: ReadonlySet<string> = new Set(['Date', 'Time', 'Timetz']);

function checkCascade(place: string, { field, cascade = [] }: SoftDeleteOption, { model, schema, resources }: Nameable): void {
  const definition = schema.models[model];
  const relations = Object.entries(definition?.fields ?? {}).flatMap(([name, one]) => (one.kind === 'relation' ? [name] : []));
  checkList(cascade, { place, known: relations, kind: 'relation of the model', all: 'Its relations are' });
  checkAll(
    cascade.map((name) => () => {
      const target = definition?.fields[name]?.type ?? '';
      const options = ownOption(resources, target);
      const other = isObject(options) ? softDeleteOf(options) : undefined;
      if (!other)
        throw new ConfigurationError(
          `${place} names '${name}', and ${target} has no softDelete.`,
          `Add resources.${target}.softDelete, or leave '${name}' out.`,
        );
      requireSameType(place, definition?.fields[field], schema.models[target]?.fields[other.field]);
    }),
  );
}

/**
 * Rejects a cascade between columns of different types. Because restore finds records that were deleted together by an equal time, both
 * columns must store it with the same precision.
 */
function requireSameType(place: string, own: SchemaField | undefined, other: SchemaField | undefined): void {
  const [one, another] = [own, other].map((field) => JSON.stringify(field?.kind === 'scalar' ? (field.nativeType ?? null) : null));
  if (one === another) return;
  throw new ConfigurationError(
    `${place} leads to a field of another @db type, which may keep other times.`,
    'Give both fields the same type.',
  );
}

function checkShow(place: string, show: unknown, known: readonly string[] | undefined): void {
  checkString(place, show);
  if (known) checkName(show, { place, known, kind: 'grant', all: 'The option grants has' });
}
