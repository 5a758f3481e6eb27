import { ApiError } from '../../errors/api-error.js';
import { quote } from '../../errors/quote.js';
import { DEFAULT_LIMITS } from '../../model/limits.js';
import { CURSOR_PROBLEMS } from '../cursor-profile.js';
import { collect } from './collect.js';
import { largestPage, type PageKey, requirePageKey } from './page-keys.js';
import { parameterError } from './parameter-error.js';
import type { FamilyParameter } from './parse-parameters.js';
import type { CursorPage } from '../projection/page.js';
import type { RestContext } from './rest-context.js';

/**
 * Reads `page[size]`, `page[after]` and `page[before]` (CP-04 to CP-09). What the cursors say is read with the order of the collection.
 *
 * @throws ApiError `invalid-page`; `limit-exceeded` for a size over the maximum
 */
export function parseCursorPage(parameters: readonly FamilyParameter[], { settings, limits }: RestContext): CursorPage {
  const most = mostOf(largestPage(settings, limits));
  const given = new Map<PageKey, FamilyParameter>();
  const sizes = collect(parameters, (parameter) => {
    const key = requirePageKey(parameter);
    if (given.has(key)) throw parameterError('invalid-page', parameter.name, `${parameter.name} is given twice.`);
    if (!KEYS.has(key)) throw mixed(parameter);
    given.set(key, parameter);
    return key === 'size' ? [readSize(parameter, most)] : [];
  });
  const after = given.get('after');
  const before = given.get('before');
  const [size] = sizes.flat();
  // Of what lies between two cursors, all is asked for (CP-09).
  const usual = after && before ? most.size : Math.min(settings.pageSize === Infinity ? USUAL_SIZE : settings.pageSize, most.size);
  return {
    kind: 'cursor',
    size: size ?? usual,
    isSized: size !== undefined,
    ...(after && { after: { parameter: after.name, text: after.value } }),
    ...(before && { before: { parameter: before.name, text: before.value } }),
  };
}

const KEYS: ReadonlySet<PageKey> = new Set(['size', 'after', 'before'] as const);

/** Where pages by offset have no end. */
const USUAL_SIZE = 100;

interface Most {
  readonly size: number;
  readonly reason: string;
}

/** Pages of cursors have an end where others need none. */
function mostOf([size, option]: ReturnType<typeof largestPage>): Most {
  return size === Infinity ? { size: DEFAULT_LIMITS.maxTake, reason: '' } : { size, reason: ` (${option})` };
}

/** CP-04: `007` is 7. */
function readSize({ name, value }: FamilyParameter, most: Most): number {
  const size = /^\d+$/.test(value) ? Number(value) : 0;
  if (size < 1) throw parameterError('invalid-page', name, `${quote(value)} is no page size: it must be an integer from 1.`);
  if (size <= most.size) return size;
  throw new ApiError('limit-exceeded', `A page has at most ${most.size} resources${most.reason}.`, {
    source: { parameter: name },
    type: CURSOR_PROBLEMS.maxSizeExceeded,
    meta: { page: { maxSize: most.size } },
  });
}

function mixed({ name }: FamilyParameter): ApiError {
  const detail = `${name} does not go with cursors: use page[size] with page[after] and page[before], or page[offset] with page[limit], or page[number] with page[size].`;
  return parameterError('invalid-page', name, detail);
}
