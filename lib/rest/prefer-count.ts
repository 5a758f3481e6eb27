import type { ApiRequest } from '../platform/api-request.js';
import { preferenceOf } from '../platform/preferences.js';
import type { PlanContext } from './plan/plan-context.js';
import type { CountMode } from './rest-settings.js';

/** How the total of a collection is found for one request. */
export interface Counting {
  /** That of the module, with the preference of the request among its settings. */
  readonly context: PlanContext;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Applies `Prefer: count=exact|estimated|none` (PF-02): a client may always have less than `rest.count`, and more where `most` allows it.
 *
 * @param isCollection whether there is anything to count
 * @throws ApiError `unsupported-header`
 */
export function preferCount(request: ApiRequest, context: PlanContext, isCollection: boolean): Counting {
  if (request.headers['prefer'] === undefined) return { context };
  const { settings } = context;
  const most = COSTS[settings.mostCount ?? settings.count];
  const read = (value: string): CountMode | undefined => {
    const mode = MODES.find((name) => name === value);
    const isOffered = mode !== 'estimated' || estimates(context);
    return mode !== undefined && isOffered && COSTS[mode] <= most ? mode : undefined;
  };
  const preferred = preferenceOf(request, isCollection ? { name: 'count', read } : undefined);
  if (!preferred) return { context };
  const headers = { ...preferred.headers, Vary: 'Prefer' };
  return { context: { ...context, settings: { ...settings, count: preferred.value } }, headers };
}

const COSTS: Readonly<Record<CountMode, number>> = { none: 0, estimated: 1, exact: 2 };
const MODES = Object.keys(COSTS) as readonly CountMode[];

/** Only PostgreSQL's planner is asked how many rows it expects. */
export function estimates({ model: { storage } }: Pick<PlanContext, 'model'>): boolean {
  return storage.provider === 'postgresql' && storage.orm === 'prisma';
}
