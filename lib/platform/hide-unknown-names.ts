import { ApiError } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/error-catalogue.js';
import { invalidValues } from '../errors/invalid-values.js';
import { withCallIndex } from '../errors/with-call-index.js';
import type { ResourceModel } from '../model/resource-model.js';

/**
 * Takes the data layer's own words back where they quote a name that the API does not show: what is wrong with an argument may be that a
 * hidden field is required and was not given (security cases 6 and 27). Any other error is unchanged.
 *
 * @param words names of the protocol itself, e.g. of arguments
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

/** What of an error may be a hidden name, and what is said where one is. */
interface Refusal {
  readonly names: (error: ApiError) => readonly string[];
  readonly detail: string;
}

const REFUSALS: ReadonlyMap<ErrorCode, Refusal> = new Map<ErrorCode, Refusal>([
  ['query-error', { names: ({ problems: [{ detail }] }) => quotedNames(detail), detail: 'The data layer refused the query.' }],
  ['validation-error', { names: ({ cause }) => pathNames(cause), detail: 'The data layer refused these values.' }],
]);

/** Names in quotes of any kind, paths taken apart: `` `data[1].passwordHash` `` quotes two. */
function quotedNames(text: string): readonly string[] {
  return [...text.matchAll(/[`'"]([\w$.[\]]+)[`'"]/g)].flatMap(([, path = '']) => path.split(/[.[\]]+/)).filter(isName);
}

function pathNames(cause: unknown): readonly string[] {
  return invalidValues(cause).flatMap(({ path }) => path.map(String).filter(isName));
}

/** Not a position in a list. */
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
