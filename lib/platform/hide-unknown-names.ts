import { ApiError } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/error-catalogue.js';
import { invalidValues } from '../errors/invalid-values.js';
import { withCallIndex } from '../errors/with-call-index.js';
import type { ResourceModel } from '../model/resource-model.js';

/**
 * Replaces the message of the data layer if it quotes a name that the API does not expose. For example, the message may name a hidden field
 * that is required and missing (security cases 6 and 27). Other errors are returned unchanged.
 *
 * @param words names of the protocol, e.g. of arguments, which a message may quote
 */
export function hideUnknownNames(error: ApiError, model: ResourceModel, words: ReadonlySet<string>): ApiError {
  const [{ code }] = error.problems;
  const refusal = REFUSALS.get(code);
  if (!error.orm || !refusal) return error;
  const shown = shownNames(model);
  if (refusal.names(error).every((name) => shown.has(name) || words.has(name))) return error;
  const hidden = new ApiError(code, refusal.detail, { orm: error.orm, cause: error.cause });
  return error.callIndex === undefined ? hidden : withCallIndex(hidden, error.callIndex);
}

/** How to find the names that an error quotes, and the message that replaces it. */
interface Refusal {
  readonly names: (error: ApiError) => readonly string[];
  readonly detail: string;
}

const REFUSALS: ReadonlyMap<ErrorCode, Refusal> = new Map<ErrorCode, Refusal>([
  ['query-error', { names: ({ problems: [{ detail }] }) => quotedNames(detail), detail: 'The data layer refused the query.' }],
  ['validation-error', { names: ({ cause }) => pathNames(cause), detail: 'The data layer refused these values.' }],
]);

/** Returns the names in quotes of any kind. Paths are split into names: `` `data[1].passwordHash` `` quotes two. */
function quotedNames(text: string): readonly string[] {
  return [...text.matchAll(/[`'"]([\w$.[\]]+)[`'"]/g)].flatMap(([, path = '']) => path.split(/[.[\]]+/)).filter(isName);
}

function pathNames(cause: unknown): readonly string[] {
  return invalidValues(cause).flatMap(({ path }) => path.map(String).filter(isName));
}

/** Whether a part of a path is a name, and not a position in a list. */
function isName(key: string): boolean {
  return !/^\d*$/.test(key);
}

const SHOWN = new WeakMap<ResourceModel, ReadonlySet<string>>();

function shownNames(model: ResourceModel): ReadonlySet<string> {
  const known = SHOWN.get(model);
  if (known) return known;
  const names = model.resources.flatMap(({ fields, uniqueKeys }) => [...fields.keys(), ...uniqueKeys.keys()]);
  const shown = new Set(names);
  SHOWN.set(model, shown);
  return shown;
}
