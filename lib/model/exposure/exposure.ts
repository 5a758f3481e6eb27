import { ConfigurationError } from '../../errors/configuration-error.js';
import { ConfigurationProblems } from '../../errors/configuration-problems.js';
import type { ResourceSchema, SchemaModel } from '../schema/resource-schema.js';
import { ACTIONS, RIGHT_NAMES } from '../surface/rights.js';
import type { Action, Attribute, ClosedRights, ResourceVersion, Rights } from '../surface/surface.js';
import type { ExposedModel, SettledOptions } from './exposed-model.js';
import { isOpen, statedRights } from './field-rights.js';
import { exposedOptions } from './opens-model.js';
import { ownOption } from './own-option.js';
import type { SettledResources } from './resources-option.js';
import { CONSEQUENCE_RULES, STATEMENT_RULES } from './rights-rules.js';
import { softDeleteOf } from './soft-delete.js';
import { versionFieldOf } from './version-field.js';
import type { RightsSheet } from './rights-sheet.js';
import type { ResourcesForGrants } from './settle-grants.js';
import { openRights, settleRights } from './settle-rights.js';

/** One model that exists in the API, with what is open of it. */
export interface Exposure extends ExposedModel {
  /** The fields that exist, by Prisma's name, in schema order: those with a right that is open. */
  readonly rights: ReadonlyMap<string, Rights>;
  /** Why the others of their rights are closed. */
  readonly closed: ReadonlyMap<string, ClosedRights>;
}

/**
 * Decides what exists: the one place where options, schema comments, and the rules that bind fields to each other meet.
 *
 * @throws ConfigurationError where an option opens what another one closes
 */
export function resolveExposure(schema: ResourceSchema, { resources, withheld }: ResourcesForGrants): ReadonlyMap<string, Exposure> {
  const problems = new ConfigurationProblems();
  const models = exposedModels(schema, resources, problems);
  const stated = settleRights(models, STATEMENT_RULES, openRights(models));
  for (const model of models.values()) {
    problems.collect(() => {
      checkStatements(model, { models, withheld, sheet: stated.sheet });
    });
  }
  problems.throwAny();
  const { sheet, closed } = settleRights(models, CONSEQUENCE_RULES, stated);
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

/** The actions that the data client offers and the options leave open. */
function settleActions(model: string, definition: SchemaModel, options: SettledOptions): ReadonlySet<Action> {
  const offered = definition.actions ?? ACTIONS;
  const absent = options.actions?.find((action) => !offered.includes(action));
  if (absent === undefined) return new Set(options.actions ?? offered);
  throw new ConfigurationError(
    `resources.${model}.actions opens '${absent}', which the Prisma client does not offer for '${model}' (a view, or an unsupported column).`,
    `Remove '${absent}' from it.`,
  );
}

/** Refuses options that say of one right both that it is open and that it is closed. */
function checkStatements({ model, schema, options }: ExposedModel, { models, withheld, sheet }: Settled): void {
  for (const [name, field] of Object.entries(schema.fields)) {
    const stated = statedRights(ownOption(options.fields, name));
    const rights = sheet.get(model)?.get(name);
    const lost = RIGHT_NAMES.find((right) => stated[right] && rights?.[right] === false);
    // What is said of a relation to a model that takes a grant counts for those who hold it.
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

/** The fields that something is open of. */
function openFields(
  rights: ReadonlyMap<string, Rights> | undefined,
  closed: ReadonlyMap<string, ClosedRights> | undefined,
): Pick<Exposure, 'rights' | 'closed'> {
  const open = new Map([...(rights ?? [])].filter(([, own]) => isOpen(own)));
  return { rights: open, closed: new Map([...(closed ?? [])].filter(([name]) => open.has(name))) };
}

/** What tags of a resource's rows are made of: its version, or what is shown of it; nothing where it has no tags. */
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

/** The fields that count the changes of rows, by model. */
export function versionsOf(exposures: ReadonlyMap<string, Pick<Exposure, 'version'>>): ReadonlyMap<string, string> {
  return new Map([...exposures].flatMap(([model, { version }]) => (version === undefined ? [] : [[model, version] as const])));
}
