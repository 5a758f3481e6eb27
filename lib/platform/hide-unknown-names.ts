import { ApiError } from '../errors/api-error.js';
import { withCallIndex } from '../errors/with-call-index.js';
import { type ResourceModel } from '../model/resource-model.js';
import { RPC_OPERATIONS } from '../rpc/rpc-operations.js';

/**
 * Takes the data layer's own words back where they quote a name that the API does not show: what is wrong with an argument may be that a
 * hidden field is required and nobody gave it (security cases 6 and 27). Any other error stays as it is.
 */
export function hideUnknownNames(error: ApiError, model: ResourceModel): ApiError {
  const [{ code, detail }] = error.problems;
  if (!error.orm || code !== 'query-error') return error;
  const shown = shownNames(model);
  if (quotedNames(detail).every((name) => shown.has(name))) return error;
  const hidden = new ApiError(code, 'The data layer refused the query.', { orm: error.orm, cause: error.cause });
  return error.callIndex === undefined ? hidden : withCallIndex(hidden, error.callIndex);
}

/** Names in quotes of any kind, paths taken apart: `` `data.passwordHash` `` quotes two. */
function quotedNames(text: string): readonly string[] {
  return [...text.matchAll(/[`'"]([\w$.]+)[`'"]/g)].flatMap(([, path = '']) => path.split('.'));
}

const SHOWN = new WeakMap<ResourceModel, ReadonlySet<string>>();

function shownNames(model: ResourceModel): ReadonlySet<string> {
  const known = SHOWN.get(model);
  if (known) return known;
  const names = model.resources.flatMap(({ fields, uniqueKeys }) => [...fields.keys(), ...uniqueKeys.keys()]);
  const shown = new Set([...names, ...Object.values(RPC_OPERATIONS).flatMap((operation) => operation.arguments)]);
  SHOWN.set(model, shown);
  return shown;
}
