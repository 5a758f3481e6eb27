import type { SchemaField, SchemaRelationField } from '../schema/resource-schema.js';
import { isConnectiveName } from '../surface/prisma-operators.js';
import type { ClosedReason, Rights } from '../surface/surface.js';
import type { ExposedModel } from './exposed-model.js';
import { CLOSED, OPEN, overrideRights, restrictRights, rightsOfPreset, serverValueOf, statedRights } from './field-rights.js';
import { holdsHiddenValues } from './holds-hidden-values.js';
import { joinKeys, keyedRelations, restrictByFields, restrictSharedFields, statementsOf } from './key-rights.js';
import { ownOption } from './own-option.js';
import type { Ruled, RuleContext } from './rights-sheet.js';

/** A rule that denies rights, with its reason. */
export interface RightsRule {
  readonly reason: ClosedReason;
  readonly rule: (context: RuleContext) => Ruled;
  /**
   * Whether a right that the option `resources` allows explicitly, by `true` or by a preset, overrides the rule. An option that only
   * contains other rights does not.
   */
  readonly yieldsToGrants?: true;
}

/** Rules for explicit rights of fields, and for foreign keys and their relations, which share one right. They are applied in this order. */
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

/**
 * Rules for rights that are denied because of other denied rights. Options do not override them, except for a key whose values the
 * application exposes explicitly.
 */
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

/** Applies the `/// @api.…` comment of each field. */
function byComment({ model }: RuleContext): Ruled {
  return listFields(model).map(([name, { api }]) => [name, rightsOfPreset(api)]);
}

/** Denies writes of fields that the server sets. */
function byServerValue(context: RuleContext): Ruled {
  const own = rightsIn(context);
  return listFields(context.model).flatMap(([name]) => {
    const rights = own.get(name);
    const isSet = serverValueOf(ownOption(context.model.options.fields, name)) !== undefined;
    return rights && isSet ? [[name, { ...rights, create: false, update: false }] as const] : [];
  });
}

/** Applies the option of each field, which takes precedence over its comment. */
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

/** Denies all rights of fields that are used only by foreign keys to hidden models. */
function keysToHiddenModels(context: RuleContext): Ruled {
  const hidden = keyedRelations(context).filter(({ hasTarget }) => !hasTarget);
  return hidden.flatMap(({ ownFields }) => ownFields.map((name) => [name, CLOSED] as const));
}

/** Denies reading, filters and sorting through relations to models without the action `read`. */
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
 * Denies writes through a relation whose foreign key is on the target, unless that key may be created or updated. Each write then checks
 * which of the two it needs.
 */
function byKeyOfTarget(context: RuleContext): Ruled {
  const own = rightsIn(context);
  return relationsOf(context.model).map(([name, field]) => {
    const key = keyOfTarget(field, context);
    const isWritable = key.create || key.update;
    return [name, restrictRights(own.get(name) ?? CLOSED, { ...OPEN, create: isWritable, update: isWritable })];
  });
}

/** Returns the rights of the opposite relation if it has the foreign key; else all rights. */
function keyOfTarget({ type, foreignKey, opposite }: SchemaRelationField, { models, sheet }: RuleContext): Rights {
  const field = foreignKey || opposite === undefined ? undefined : models.get(type)?.schema.fields[opposite];
  const holdsKey = opposite !== undefined && field?.kind === 'relation' && field.foreignKey !== undefined;
  return holdsKey ? (sheet.get(type)?.get(opposite) ?? CLOSED) : OPEN;
}

/** Denies all rights of foreign keys that hold only the values of hidden fields. */
function byHiddenValues({ model, models, sheet }: RuleContext): Ruled {
  const keys = listFields(model).filter(([name, { kind }]) => kind !== 'relation' && holdsHiddenValues({ model, name }, { models, sheet }));
  return keys.map(([name]) => [name, CLOSED]);
}

/**
 * Denies writes of the id fields where `clientIds` is explicitly `'forbidden'`, in both styles. The default applies to JSON:API's member
 * `id` only.
 */
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

/** Denies writes of the version field, because the server counts it. */
function byVersion(context: RuleContext): Ruled {
  return readOnly(context, context.model.version);
}

/** Denies writes of the field that holds the time of deletion, which only delete and restore set. */
function bySoftDelete(context: RuleContext): Ruled {
  return readOnly(context, context.model.deletedAt);
}

function readOnly(context: RuleContext, name: string | undefined): Ruled {
  const own = name === undefined ? undefined : rightsIn(context).get(name);
  return own && name !== undefined ? [[name, { ...own, create: false, update: false }]] : [];
}

/** Denies filters by members that Prisma parses as connectives: the query would fail, or match other rows. */
function byConnective(context: RuleContext): Ruled {
  return [...rightsIn(context)].flatMap(([name, rights]) => {
    return isConnectiveName(name) ? [[name, restrictRights(rights, { ...OPEN, filter: false })] as const] : [];
  });
}
