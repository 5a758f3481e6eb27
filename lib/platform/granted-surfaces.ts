import { modelsThatDependOnGrants, type RelationsByModel, relationsToThem } from '../model/depends-on-grants.js';
import type { GrantedModels, ResourceModel } from '../model/resource-model.js';
import type { ApiRequest } from '../http/api-request.js';
import type { CallerGrants } from './caller-grants.service.js';
import type { ResourceOperation } from './resource-operation.js';

/** A request about to be executed. */
interface GrantedRequest extends Pick<ApiRequest, 'method' | 'search' | 'hasBody' | 'json' | 'form'> {
  readonly request: Parameters<CallerGrants['of']>[0];
}

/** The models that a mount exposes to its callers, depending on their grants. */
export class GrantedSurfaces {
  private readonly dependent: ReadonlySet<string>;
  private readonly relations: RelationsByModel;
  /** The REST parameters that name the types of models that depend on grants, in lower case. */
  private readonly fieldsets: readonly string[];
  /** Whether some models are hidden from callers without grants. */
  private readonly withholdsModels: boolean;

  constructor(
    /** The model for callers without grants, and for requests about anything that does not depend on grants. */
    readonly none: ResourceModel,
    private readonly models: GrantedModels,
    private readonly callers: CallerGrants,
  ) {
    const widest = models.of(models.names);
    this.dependent = modelsThatDependOnGrants(none, widest);
    this.relations = relationsToThem(widest, this.dependent);
    this.fieldsets = widest.resources.flatMap(({ model, type }) => (this.dependent.has(model) ? [`fields[${type.toLowerCase()}]`] : []));
    this.withholdsModels = widest.resources.length > none.resources.length;
  }

  /**
   * Returns the model as it is exposed to the caller of a request. Grants are evaluated only if the result may depend on them: if the
   * request is about a model that depends on grants, or names a relation to one.
   *
   * If grants hide whole models, they are also evaluated for unknown models. Neither suggestions in errors nor response times then
   * distinguish a hidden model from an unknown one.
   *
   * @throws what {@link CallerGrants.of} throws
   */
  async of(request: GrantedRequest, operation: ResourceOperation): Promise<ResourceModel> {
    return this.mayDepend(request, operation) ? this.models.of(await this.callers.of(request.request)) : this.none;
  }

  private mayDepend(request: GrantedRequest, operation: ResourceOperation): boolean {
    const operations = operation.batch ?? [operation];
    const models = [...new Set(operations.map(({ model }) => model))];
    if (models.some((model) => (model === undefined ? this.withholdsModels : this.dependent.has(model)))) return true;
    const names = new Set(models.flatMap((model = '') => [...(this.relations.get(model) ?? [])]));
    const isRelated = operations.some(({ relationship }) => relationship !== undefined && names.has(relationship));
    return isRelated || mentionsInSearch(searchOf(request), names, this.fieldsets) || mentionsInBody(request, names);
  }
}

/**
 * Returns the query of the URL and, for QUERY, the form in the body. A body that is not a form is ignored here, because the parser rejects
 * it.
 */
function searchOf(request: GrantedRequest): string {
  if (request.method !== 'QUERY' || !request.hasBody) return request.search;
  try {
    return `${request.search}&${request.form()}`;
  } catch {
    return request.search;
  }
}

/** Whether a query may contain one of the names. If it has JSON escapes (`\u`) or cannot be decoded, it may contain any of them. */
function mentionsInSearch(search: string, names: ReadonlySet<string>, fieldsets: readonly string[]): boolean {
  if (search === '') return false;
  const text = decoded(search);
  if (text === undefined || text.includes('\\u')) return true;
  const lower = text.toLowerCase();
  return [...names].some((name) => text.includes(name)) || fieldsets.some((fieldset) => lower.includes(fieldset));
}

function decoded(search: string): string | undefined {
  try {
    return decodeURIComponent(search);
  } catch {
    return undefined;
  }
}

function mentionsInBody(request: GrantedRequest, names: ReadonlySet<string>): boolean {
  if (names.size === 0 || !request.hasBody) return false;
  try {
    return hasKey(request.json(), names);
  } catch {
    return false;
  }
}

/**
 * Whether a body has a member with one of the names. It uses no recursion, because a body may be nested deeper than the call stack allows.
 */
function hasKey(body: unknown, names: ReadonlySet<string>): boolean {
  const values = [body];
  while (values.length > 0) {
    const value = values.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value) && Object.keys(value).some((key) => names.has(key))) return true;
    for (const inner of Object.values(value)) values.push(inner);
  }
  return false;
}
