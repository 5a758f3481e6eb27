import { ConfigurationError } from '../errors/configuration-error.js';
import { CLOSED, isOpen, OPEN, restrictRights, RIGHT_NAMES, rightsOfPreset, statedRights } from './field-rights.js';
import { holdsHiddenValues } from './holds-hidden-values.js';
import { type FieldStatement, type KeyedRelation, unifyKeyRights } from './key-rights.js';
import { ownOption } from './own-option.js';
import { type Action, type Rights } from './resource-model.js';
import { type ResourceSchema, type SchemaField, type SchemaModel, type SchemaRelationField } from './resource-schema.js';
import { type ResourceOptions, type ResourcesOption } from './resources-option.js';

/** One model that exists in the API, with what is open of it. */
export interface Exposure {
  readonly model: string;
  readonly schema: SchemaModel;
  readonly options: ResourceOptions;
  readonly actions: ReadonlySet<Action>;
  /** The fields that exist, by Prisma's name, in schema order: those with a right that is open. */
  readonly rights: ReadonlyMap<string, Rights>;
}

/** What may be done with a resource, in the order of reports. */
export const ACTIONS = ['read', 'create', 'update', 'delete'] as const satisfies readonly Action[];

/**
 * Decides what exists: the one place where options, schema comments, and the rules that bind fields to each other meet.
 *
 * @throws ConfigurationError where an option opens what another one closes
 */
export function resolveExposure(schema: ResourceSchema, resources: ResourcesOption): ReadonlyMap<string, Exposure> {
  const exposed = new Map<string, Exposure>();
  for (const [model, definition] of Object.entries(schema.models)) {
    const options = optionsOf(model, definition, resources);
    if (!options) continue;
    exposed.set(model, { model, schema: definition, options, actions: actionsOf(model, definition, options), rights: new Map() });
  }
  const settled = new Map([...exposed].map(([model, exposure]) => [model, { ...exposure, rights: settleFields(exposure, exposed) }]));
  return new Map([...settled].map(([model, exposure]) => [model, { ...exposure, rights: settleRelations(exposure, settled) }]));
}

/** The options of an exposed model; `undefined` for a hidden one. An object opens what a comment or `'*'` hides. */
function optionsOf(model: string, definition: SchemaModel, resources: ResourcesOption): ResourceOptions | undefined {
  const options = ownOption(resources, model);
  if (options !== undefined) return options === 'hidden' ? undefined : options;
  return resources['*'] === 'hidden' || definition.api?.hidden === true ? undefined : {};
}

/** The actions that the data client offers and the options leave open. */
function actionsOf(model: string, definition: SchemaModel, options: ResourceOptions): ReadonlySet<Action> {
  const offered = definition.actions ?? ACTIONS;
  const absent = options.actions?.find((action) => !offered.includes(action));
  if (absent === undefined) return new Set(options.actions ?? offered);
  throw new ConfigurationError(
    `resources.${model}.actions opens '${absent}', which the Prisma client does not offer for '${model}' (a view, or an unsupported column).`,
    `Remove '${absent}' from it.`,
  );
}

type Exposures = ReadonlyMap<string, Exposure>;

function settleFields({ model, schema, options }: Exposure, exposed: Exposures): ReadonlyMap<string, Rights> {
  const fields = Object.entries(schema.fields);
  const statements = new Map(fields.map(([name, field]) => [name, statementOf(name, field, options)]));
  const relations = fields.flatMap(([name, field]) => keyedRelation(name, field, exposed));
  const rights = unifyKeyRights(statements, relations);
  for (const [name, field] of fields) {
    const lost = RIGHT_NAMES.find((right) => statements.get(name)?.stated[right] && rights.get(name)?.[right] === false);
    if (lost) throw contradiction(`${model}.${name}`, lost, { field, exposed });
  }
  return rights;
}

function statementOf(name: string, { api }: SchemaField, { fields }: ResourceOptions): FieldStatement {
  const option = ownOption(fields, name);
  return { preset: rightsOfPreset(api), stated: statedRights(option), isNamed: option !== undefined };
}

function keyedRelation(name: string, field: SchemaField, exposed: Exposures): readonly KeyedRelation[] {
  if (field.kind !== 'relation') return [];
  const hasTarget = exposed.has(field.type);
  // Without a target, the side without the key closes like the one with it; it has no fields to close.
  if (!field.foreignKey) return hasTarget ? [] : [{ name, fields: [], hasTarget }];
  return [{ name, fields: field.foreignKey.fields, hasTarget }];
}

function contradiction(
  path: string,
  right: string,
  { field, exposed }: { readonly field: SchemaField; readonly exposed: Exposures },
): ConfigurationError {
  if (field.kind === 'relation' && !exposed.has(field.type)) {
    return new ConfigurationError(
      `resources opens '${path}', a relation to '${field.type}', which is hidden.`,
      `Remove that option, or expose '${field.type}' in resources.`,
    );
  }
  return new ConfigurationError(
    `resources opens '${right}' of '${path}' and closes it on the other side: a foreign key and its relation are one right.`,
    'Give both sides the same rights, or name them on one side only.',
  );
}

/**
 * Closes what a relation must not do because of the record at its other end, and the foreign keys that would show what is hidden there; then
 * drops the fields that nothing is open of.
 */
function settleRelations(exposure: Exposure, settled: Exposures): ReadonlyMap<string, Rights> {
  const bound = Object.entries(exposure.schema.fields).map(([name, field]) => {
    const own = exposure.rights.get(name) ?? CLOSED;
    if (field.kind === 'relation') return [name, bindToTarget(own, field, settled)] as const;
    return [name, holdsHiddenValues({ name, exposure }, settled) ? CLOSED : own] as const;
  });
  return new Map(bound.filter(([, own]) => isOpen(own)));
}

/**
 * - Related records that may not be read may not be filtered or sorted by either.
 * - The side without the key writes the key of the other record: never where that key may neither be set nor changed. (Linking records that
 *   exist needs its right `update`, creating them in place its right `create`: the planners of writes tell these apart.)
 */
function bindToTarget(rights: Rights, field: SchemaRelationField, settled: Exposures): Rights {
  const target = settled.get(field.type);
  if (!target) return CLOSED;
  const readable = target.actions.has('read') ? rights : restrictRights(rights, { ...CLOSED, create: true, update: true });
  const key = oppositeKey(field, target);
  const isWritable = key.create || key.update;
  return restrictRights(readable, { read: true, filter: true, sort: true, create: isWritable, update: isWritable });
}

/** The rights of the key that the side without one writes: of the relation at the other end, or everything where there is no such key. */
function oppositeKey({ foreignKey, opposite }: SchemaRelationField, target: Exposure): Rights {
  const field = foreignKey || opposite === undefined ? undefined : target.schema.fields[opposite];
  const holdsKey = opposite !== undefined && field?.kind === 'relation' && field.foreignKey !== undefined;
  return holdsKey ? (target.rights.get(opposite) ?? CLOSED) : OPEN;
}
