import { ConfigurationError } from './errors/configuration-error.js';
import { checkChoice, checkNames, mistyped } from './model/check-option.js';
import type { ResourceModel } from './model/resource-model.js';
import type { CountOptions, RestOptions } from './resource-api.options.js';
import type { CountMode, RestSettings } from './rest/rest-settings.js';

const COUNTS: readonly CountMode[] = ['exact', 'none', 'estimated'];
const NAMES: readonly (keyof CountOptions)[] = ['default', 'most', 'exactUpTo'];

type Counting = Pick<RestSettings, 'count' | 'mostCount' | 'exactUpTo'>;

/**
 * The option `rest.count` as settings.
 *
 * @throws ConfigurationError
 */
export function countingOf(option: RestOptions['count'] = 'exact'): Counting {
  if (typeof option !== 'object') {
    checkChoice('rest.count', option, COUNTS);
    return { count: option };
  }
  checkNames(option, { place: 'rest.count', known: NAMES, kind: 'option', all: 'The options are' });
  const { default: count = 'exact', most: mostCount = count, exactUpTo } = option;
  checkChoice('rest.count.default', count, COUNTS);
  checkChoice('rest.count.most', mostCount, COUNTS);
  if (exactUpTo === undefined) return { count, mostCount };
  if (!Number.isInteger(exactUpTo) || exactUpTo < 1) throw mistyped('rest.count.exactUpTo', exactUpTo, 'a positive integer');
  return { count, mostCount, exactUpTo };
}

/** @throws ConfigurationError where totals are to be estimated on another database than PostgreSQL */
export function requireEstimates(rest: Counting | undefined, model: Pick<ResourceModel, 'storage'> | undefined): void {
  if (!model || (rest?.count !== 'estimated' && rest?.mostCount !== 'estimated')) return;
  const { provider, orm } = model.storage;
  if (provider === 'postgresql' && orm === 'prisma') return;
  throw new ConfigurationError(
    `rest.count is 'estimated', and only PostgreSQL's planner is asked for an estimate, through Prisma: this is ${provider}.`,
    "Set it to 'exact' or 'none'.",
  );
}
