import type { SchemaField, SchemaRelationField } from '../schema/resource-schema.js';
import { isConnectiveName } from '../surface/prisma-operators.js';
import type { ClosedReason, Rights } from '../surface/surface.js';
import type { ExposedModel } from './exposed-model.js';
import { CLOSED, OPEN, overrideRights, restrictRights, rightsOfPreset, serverValueOf, statedRights } from './field-rights.js';
import { holdsHiddenValues } from './holds-hidden-values.js';
import { joinKeys, keyedRelations, restrictByFields, restrictSharedFields, statementsOf } from './key-rights.js';
import { ownOption } from './own-option.js';
import type { Ruled, RuleContext } from './rights-sheet.js';

/** One reason to close rights. */
export interface RightsRule {
  readonly reason: ClosedReason;
  readonly rule: (context: RuleContext) => Ruled;
  /** Whether a right stays open that the option `resources` itself opens, by `true` or a preset; to mention a field opens nothing. */
  readonly yieldsToGrants?: true;
}

/** What is said of fields, and of foreign keys and their relations, which are one right. In the order in which the rules are applied. */
export const STATEMENT_RULES: readonly RightsRule[] = [
  { reason: 'comment', rule: byComment },
  { reason: 'server-value', rule: byServerValue },
  { reason: 'option', rule: byOption },
  { reason: 'key-and-relation', rule: byKeyAndRelation },
  { reason: 'hidden-model', rule: relationsToHiddenModels },
  { reason: 'hidden-model', rule: keysToHiddenModels, yieldsToGrants: true },
  { reason: 'shared-key', rule: (context) => restrictSharedFields(keyedRelations(context), rightsIn(context)), yieldsToGrants: true },
  { reason: 'shared-key', rule: (context) => restrictByFields(keyedRelations(context), rightsIn(context)) },
];

/** What follows from what is closed elsewhere. No option opens it, but for the values of a key that the host gives away by its name. */
export const CONSEQUENCE_RULES: readonly RightsRule[] = [
  { reason: 'unreadable-model', rule: byUnreadableModel },
  { reason: 'key-of-target', rule: byKeyOfTarget },
  { reason: 'hidden-values', rule: byHiddenValues, yieldsToGrants: true },
  { reason: 'client-ids', rule: byClientIds },
  { reason: 'connective', rule: byConnective },
  { reason: 'version', rule: byVersion },
  { reason: 'soft-delete', rule: bySoftDelete },
];

function rightsIn({ model, sheet }: RuleContext): ReadonlyMap<string, Rights> {
  return sheet.get(model.model) ?? new Map<string, Rights>();
}

function listFields({ schema }: ExposedModel): readonly (readonly [string, SchemaField])[] {
  return Object.entries(schema.fields);
}

function relationsOf(model: ExposedModel): readonly (readonly [string, SchemaRelationField])[] {
  return listFields(model).flatMap(([name, field]) => (field.kind === 'relation' ? [[name, field] as const] : []));
}

/** The `/// @api.…` comment of the field. */
function byComment({ model }: RuleContext): Ruled {
  return listFields(model).map(([name, { api }]) => [name, rightsOfPreset(api)]);
}

/** What the server sets is not for clients to write. */
function byServerValue(context: RuleContext): Ruled {
  const own = rightsIn(context);
  return listFields(context.model).flatMap(([name]) => {
    const rights = own.get(name);
    const isSet = serverValueOf(ownOption(context.model.options.fields, name)) !== undefined;
    return rights && isSet ? [[name, { ...rights, create: false, update: false }] as const] : [];
  });
}

/** The option of the field, which wins over its comment. */
function byOption({ model }: RuleContext): Ruled {
  return listFields(model).map(([name, { api }]) => {
    return [name, overrideRights(rightsOfPreset(api), statedRights(ownOption(model.options.fields, name)))];
  });
}

function byKeyAndRelation(context: RuleContext): Ruled {
  return joinKeys(keyedRelations(context), statementsOf(context.model));
}

function relationsToHiddenModels({ model, models }: RuleContext): Ruled {
  return relationsOf(model).flatMap(([name, { type }]) => (models.has(type) ? [] : [[name, CLOSED] as const]));
}

/** The fields that are the key to a hidden model alone. */
function keysToHiddenModels(context: RuleContext): Ruled {
  const hidden = keyedRelations(context).filter(({ hasTarget }) => !hasTarget);
  return hidden.flatMap(({ ownFields }) => ownFields.map((name) => [name, CLOSED] as const));
}

/** Related records that may not be read may not be filtered or sorted by either. */
function byUnreadableModel({ model, models, sheet }: RuleContext): Ruled {
  return relationsOf(model).flatMap(([name, { type }]) => {
    const isReadable = models.get(type)?.actions.has('read') !== false;
    return isReadable
      ? []
      : [
          [
            name,
            restrictRights(sheet.get(model.model)?.get(name) ?? CLOSED, { ...OPEN, read: false, filter: false, sort: false }),
          ] as const,
        ];
  });
}

/**
 * The side without the key writes the key of the other record: never where that key may neither be set nor changed. (Which of its two rights
 * linking needs, and which creating in place, is decided for each write.)
 */
function byKeyOfTarget(context: RuleContext): Ruled {
  const own = rightsIn(context);
  return relationsOf(context.model).map(([name, field]) => {
    const key = keyOfTarget(field, context);
    const isWritable = key.create || key.update;
    return [name, restrictRights(own.get(name) ?? CLOSED, { ...OPEN, create: isWritable, update: isWritable })];
  });
}

/** The rights of the relation at the other end, if that holds the key; everything where there is no such key. */
function keyOfTarget({ type, foreignKey, opposite }: SchemaRelationField, { models, sheet }: RuleContext): Rights {
  const field = foreignKey || opposite === undefined ? undefined : models.get(type)?.schema.fields[opposite];
  const holdsKey = opposite !== undefined && field?.kind === 'relation' && field.foreignKey !== undefined;
  return holdsKey ? (sheet.get(type)?.get(opposite) ?? CLOSED) : OPEN;
}

/** A key to nothing but fields that may not be read would give their values away. */
function byHiddenValues({ model, models, sheet }: RuleContext): Ruled {
  const keys = listFields(model).filter(([name, { kind }]) => kind !== 'relation' && holdsHiddenValues({ model, name }, { models, sheet }));
  return keys.map(([name]) => [name, CLOSED]);
}

/** A given `clientIds` applies to the key fields in both styles; the default applies to JSON:API's member `id` only. */
function byClientIds(context: RuleContext): Ruled {
  const { model } = context;
  if (model.options.clientIds !== 'forbidden') return [];
  const { schema, options } = model;
  const keys = [...(schema.primaryKey ? [schema.primaryKey] : []), ...schema.uniqueKeys];
  const key = options.externalId === undefined ? schema.primaryKey : keys.find(({ name }) => name === options.externalId);
  const own = rightsIn(context);
  return (key?.fields ?? []).map((name) => {
    return [name, restrictRights(own.get(name) ?? CLOSED, { ...OPEN, create: false, update: false })];
  });
}

/** The version of a row is counted, never given. */
function byVersion(context: RuleContext): Ruled {
  return readOnly(context, context.model.version);
}

/** Deleting a row, and restoring it, set when it was deleted. */
function bySoftDelete(context: RuleContext): Ruled {
  return readOnly(context, context.model.deletedAt);
}

function readOnly(context: RuleContext, name: string | undefined): Ruled {
  const own = name === undefined ? undefined : rightsIn(context).get(name);
  return own && name !== undefined ? [[name, { ...own, create: false, update: false }]] : [];
}

/** Closes filters on members that Prisma takes for connectives: it fails, or compares another row. */
function byConnective(context: RuleContext): Ruled {
  return [...rightsIn(context)].flatMap(([name, rights]) => {
    return isConnectiveName(name) ? [[name, restrictRights(rights, { ...OPEN, filter: false })] as const] : [];
  });
}
