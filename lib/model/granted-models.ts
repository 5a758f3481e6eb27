import { ConfigurationError } from '../errors/configuration-error.js';
import { SecondChanceCache } from '../utils/second-chance-cache.js';
import { type BuiltResourceModel, buildResourceModel, type ResourceModelOptions } from './build-resource-model.js';
import { checkName } from './check-option.js';
import { grantsOf } from './exposure/settle-grants.js';
import type { ResourcesOption } from './exposure/resources-option.js';
import { isObject } from '../utils/is-object.js';
import type { GrantedModels, ResourceModel } from './resource-model.js';
import type { ResourceSchema } from './schema/resource-schema.js';

/** The models for callers with the same grants: `model` for RPC, and `restModel` for REST. */
export type StyledModels = Pick<BuiltResourceModel, 'model' | 'restModel'>;

/** The models of all callers, by their grants. */
export interface ModelsByGrants extends Pick<BuiltResourceModel, 'warnings' | 'restWarnings'> {
  /** The models for callers with all grants, which expose the most. */
  readonly widest: StyledModels;
  /**
   * Returns the models for callers without grants, with access to the others.
   *
   * @param finish adds to each model, e.g. the row rules
   */
  readonly served: (finish?: (model: ResourceModel) => ResourceModel) => StyledModels;
}

/**
 * Builds a model for each set of grants. Because a model contains only what its callers may do, no parser, renderer or document checks
 * grants.
 *
 * The models for no grant, for each single grant and for all grants are built at boot. Options that do not fit the schema therefore fail at
 * boot. Callers with several grants have every right that one of their grants allows. Models for other sets are built at their first use.
 *
 * @throws ConfigurationError as {@link buildResourceModel}, with the callers that it concerns
 */
export function buildGrantedModels(schema: ResourceSchema, options: Omit<ResourceModelOptions, 'held' | 'storage'>): ModelsByGrants {
  const names = collectGrantNames(options.resources);
  const all = buildResourceModel(schema, { ...options, held: new Set(names) });
  const { storage } = all.model;
  const build = (held: readonly string[]): BuiltResourceModel => buildResourceModel(schema, { ...options, storage, held: new Set(held) });
  if (names.length === 0) return { ...all, widest: all, served: (finish = same) => finishBoth(all, finish) };
  const others = [[], ...names.map((name) => [name])].map((held) => ({ held, built: buildFor(held, build) }));
  const known = new Map([
    [serializeGrants(names, names), all] as const,
    ...others.map(({ held, built }) => [serializeGrants(held, names), built] as const),
  ]);
  const warnings = (of: 'warnings' | 'restWarnings'): readonly string[] => {
    const more = others
      .flatMap(({ held, built }) => built[of].map((text) => ({ text, held })))
      .filter(({ text }) => !all[of].includes(text));
    const first = new Map(more.map(({ text, held }) => [text, held] as const).reverse());
    return [...all[of], ...[...first].map(([text, held]) => `For callers ${who(held)}: ${text}`)];
  };
  return {
    widest: all,
    warnings: warnings('warnings'),
    restWarnings: warnings('restWarnings'),
    served: (finish = same) => new ServedModels(names, (held, key) => finishBoth(known.get(key) ?? build(held), finish)).of([]),
  };
}

/** Returns the grants that the option names. A value that is not an object is rejected later, when the model is built. */
function collectGrantNames(resources: unknown): readonly string[] {
  return isObject(resources) ? grantsOf(resources as ResourcesOption) : [];
}

function same(model: ResourceModel): ResourceModel {
  return model;
}

function finishBoth({ model, restModel }: StyledModels, finish: (model: ResourceModel) => ResourceModel): StyledModels {
  const finished = finish(model);
  return { model: finished, restModel: model === restModel ? finished : finish(restModel) };
}

function buildFor(held: readonly string[], build: (held: readonly string[]) => BuiltResourceModel): BuiltResourceModel {
  try {
    return build(held);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`For callers ${who(held)} the options do not fit:`, error.message, { cause: error });
  }
}

function who([name]: readonly string[]): string {
  return name === undefined ? 'without grants' : `with the grant '${name}'`;
}

function serializeGrants(held: readonly string[], names: readonly string[]): string {
  return names.map((name) => (held.includes(name) ? '1' : '0')).join('');
}

/** The maximum number of cached sets of grants, besides the empty and the full set. */
const MOST_SETS = 64;

/** Models with access to each other by grants. */
class ServedModels {
  readonly #kept = new SecondChanceCache<string, StyledModels>(MOST_SETS);
  readonly #none: StyledModels;
  readonly #all: StyledModels;

  constructor(
    private readonly names: readonly string[],
    private readonly build: (held: readonly string[], key: string) => StyledModels,
  ) {
    this.#none = this.#make([], serializeGrants([], names));
    this.#all = this.#make(names, serializeGrants(names, names));
  }

  of(held: readonly string[]): StyledModels {
    const { names } = this;
    for (const name of held) checkName(name, { place: 'grants', known: names, kind: 'grant of the option resources', all: 'It names' });
    const key = serializeGrants(held, names);
    if (!key.includes('1')) return this.#none;
    if (!key.includes('0')) return this.#all;
    const known = this.#kept.get(key);
    if (known) return known;
    const made = this.#make(held, key);
    this.#kept.set(key, made);
    return made;
  }

  #make(held: readonly string[], key: string): StyledModels {
    const { model, restModel } = this.build(held, key);
    const linked = this.#linked(model, (of) => of.model);
    return { model: linked, restModel: model === restModel ? linked : this.#linked(restModel, (of) => of.restModel) };
  }

  #linked(model: ResourceModel, pick: (models: StyledModels) => ResourceModel): ResourceModel {
    const grants: GrantedModels = Object.freeze({ names: this.names, of: (held: readonly string[]) => pick(this.of(held)) });
    return Object.freeze({ ...model, grants });
  }
}
