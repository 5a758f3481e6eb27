import { ConfigurationError } from '../../errors/configuration-error.js';
import { ConfigurationProblems } from '../../errors/configuration-problems.js';
import type { ResourceSchema, SchemaModel } from '../schema/resource-schema.js';
import { ACTIONS, RIGHT_NAMES } from '../surface/rights.js';
import type { Action, Attribute, ClosedRights, ResourceVersion, Rights } from '../surface/surface.js';
import type { ExposedModel, ResolvedOptions } from './exposed-model.js';
import { isOpen, statedRights } from './field-rights.js';
import { exposedOptions } from './opens-model.js';
import { ownOption } from './own-option.js';
import type { SettledResources } from './resources-option.js';
import { CONSEQUENCE_RULES, STATEMENT_RULES } from './rights-rules.js';
import { softDeleteOf } from './soft-delete.js';
import { versionFieldOf } from './version-field.js';
import type { RightsSheet } from './rights-sheet.js';
import type { ResourcesForGrants } from './settle-grants.js';
import { openRights, applyRightsRules } from './settle-rights.js';

/** An exposed model, with the rights of its fields. */
export interface Exposure extends ExposedModel {
  /** The exposed fields, by Prisma's name, in schema order: those with at least one allowed right. */
  readonly rights: ReadonlyMap<string, Rights>;
  /** The reasons of their denied rights. */
  readonly closed: ReadonlyMap<string, ClosedRights>;
}

/**
 * Resolves which models, fields and rights are exposed, from the options, the comments of the schema, and the rules that relate fields to
 * each other. No other code decides this.
 *
 * @throws ConfigurationError where one option allows what another one denies
 */
export function resolveExposure(schema: ResourceSchema, { resources, withheld }: ResourcesForGrants): ReadonlyMap<string, Exposure> {
  const problems = new ConfigurationProblems();
  const models = exposedModels(schema, resources, problems);
  const stated = applyRightsRules(models, STATEMENT_RULES, openRights(models));
  for (const model of models.values()) {
    problems.collect(() => {
      checkStatements(model, { models, withheld, sheet: stated.sheet });
    });
  }
  problems.throwAny();
  const { sheet, closed } = applyRightsRules(models, CONSEQUENCE_RULES, stated);
  return new Map([...models].map(([name, model]) => [name, { ...model, ...openFields(sheet.get(name), closed.get(name)) }]));
}

function exposedModels(
  schema: ResourceSchema,
  resources: SettledResources,
  problems: ConfigurationProblems,
): ReadonlyMap<string, ExposedModel> {
  const exposed = new Map<string, ExposedModel>();
  for (const [model, definition] of Object.entries(schema.models)) {
    const options = exposedOptions(model, definition, resources);
    if (!options) continue;
    const actions = problems.collect(() => settleActions(model, definition, options)) ?? new Set();
    const version = problems.collect(() => versionFieldOf({ model, schema: definition, options, provider: schema.provider }));
    const deletedAt = softDeleteOf(options)?.field;
    exposed.set(model, {
      model,
      schema: definition,
      options,
      actions,
      ...(version !== undefined && { version }),
      ...(deletedAt !== undefined && { deletedAt }),
    });
  }
  return exposed;
}

/** Returns the actions that the data client supports and the options allow. */
function settleActions(model: string, definition: SchemaModel, options: ResolvedOptions): ReadonlySet<Action> {
  const offered = definition.actions ?? ACTIONS;
  const absent = options.actions?.find((action) => !offered.includes(action));
  if (absent === undefined) return new Set(options.actions ?? offered);
  throw new ConfigurationError(
    `resources.${model}.actions opens '${absent}', which the Prisma client does not offer for '${model}' (a view, or an unsupported column).`,
    `Remove '${absent}' from it.`,
  );
}

/** Rejects options that both allow and deny the same right. */
function checkStatements({ model, schema, options }: ExposedModel, { models, withheld, sheet }: Settled): void {
  for (const [name, field] of Object.entries(schema.fields)) {
    const stated = statedRights(ownOption(options.fields, name));
    const rights = sheet.get(model)?.get(name);
    const lost = RIGHT_NAMES.find((right) => stated[right] && rights?.[right] === false);
    // An option of a relation whose target needs a grant applies only to callers with that grant.
    if (lost === undefined || (field.kind === 'relation' && withheld.has(field.type))) continue;
    throw field.kind === 'relation' && !models.has(field.type)
      ? opensHidden(`${model}.${name}`, field.type)
      : contradiction(`${model}.${name}`, lost);
  }
}

interface Settled {
  readonly models: ReadonlyMap<string, ExposedModel>;
  readonly withheld: ReadonlySet<string>;
  readonly sheet: RightsSheet;
}

function opensHidden(path: string, target: string): ConfigurationError {
  return new ConfigurationError(
    `resources opens '${path}', a relation to '${target}', which is hidden.`,
    `Remove that option, or expose '${target}' in resources.`,
  );
}

function contradiction(path: string, right: string): ConfigurationError {
  return new ConfigurationError(
    `resources opens '${right}' of '${path}' and closes it on the other side: a foreign key and its relation are one right.`,
    'Give both sides the same rights, or name them on one side only.',
  );
}

/** Returns the fields with at least one allowed right. */
function openFields(
  rights: ReadonlyMap<string, Rights> | undefined,
  closed: ReadonlyMap<string, ClosedRights> | undefined,
): Pick<Exposure, 'rights' | 'closed'> {
  const open = new Map([...(rights ?? [])].filter(([, own]) => isOpen(own)));
  return { rights: open, closed: new Map([...(closed ?? [])].filter(([name]) => open.has(name))) };
}

/** Returns the source of a resource's ETags: its version field, or its readable fields for a hash; nothing where it has no ETags. */
export function shownVersion(
  { version, options: { concurrency }, rights: all }: Pick<Exposure, 'version' | 'options' | 'rights'>,
  attributes: Iterable<Attribute>,
): { readonly version?: ResourceVersion } {
  const isRequired = concurrency === 'required';
  if (version !== undefined) return { version: Object.freeze({ field: version, isRequired }) };
  if (concurrency === undefined) return {};
  const isShown = ({ rights, foreignKeyOf }: Attribute): boolean =>
    rights.read || foreignKeyOf.some((name) => all.get(name)?.read === true);
  const shown = [...attributes].filter((attribute) => !attribute.computed && isShown(attribute));
  return { version: Object.freeze({ hashed: Object.freeze(shown.map(({ name, type }) => Object.freeze({ name, type }))), isRequired }) };
}

/** Returns the version field of each model that has one. */
export function versionsOf(exposures: ReadonlyMap<string, Pick<Exposure, 'version'>>): ReadonlyMap<string, string> {
  return new Map([...exposures].flatMap(([model, { version }]) => (version === undefined ? [] : [[model, version] as const])));
}
