import { modelsThatDependOnGrants, type RelationsByModel, relationsToThem } from '../model/depends-on-grants.js';
import type { GrantedModels, ResourceModel } from '../model/resource-model.js';
import type { ApiRequest } from '../http/api-request.js';
import type { CallerGrants } from './caller-grants.service.js';
import type { ResourceOperation } from './resource-operation.js';

/** A request about to be executed. */
interface GrantedRequest extends Pick<ApiRequest, 'method' | 'search' | 'hasBody' | 'json' | 'form'> {
  readonly request: Parameters<CallerGrants['of']>[0];
}

/** What a mount shows to its callers, where that depends on grants. */
export class GrantedSurfaces {
  private readonly dependent: ReadonlySet<string>;
  private readonly relations: RelationsByModel;
  /** How a query names the types of dependent models in REST, wherever it stands. */
  private readonly fieldsets: readonly string[];
  /** Whether there are models that some callers do not know. */
  private readonly withholdsModels: boolean;

  constructor(
    /** What callers without grants are shown, and all callers of what does not depend on grants. */
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
   * What the caller of a request is shown. The host is asked only where the answer may depend on it: where the request is about a model that depends on
   * grants, or names a relation that leads to one. Where whole models take grants it is asked about unknown ones too, which are then told from these
   * neither by what is suggested nor by the time it takes.
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

/** That of the URL and, where the query is a form in the body, that; what is no form is for whoever reads it to refuse. */
function searchOf(request: GrantedRequest): string {
  if (request.method !== 'QUERY' || !request.hasBody) return request.search;
  try {
    return `${request.search}&${request.form()}`;
  } catch {
    return request.search;
  }
}

/** JSON may spell a letter by its number; and what cannot be decoded may mention anything. */
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

/** Without recursion: a body may be nested deeper than calls can be. */
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
