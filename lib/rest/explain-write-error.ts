import { ApiError, type ProblemSource } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import { type ResourceIntent, type WriteIntent } from './parse/write-intent.js';
import { readBrokenConstraint } from './read-broken-constraint.js';

/**
 * Says of an error of the data layer which record it is about, and points at the member of the body that broke a constraint (CR-12, UP-12),
 * where that is beyond doubt. Any other error, and a host's own mapping of one, stays as it is.
 */
export function explainWriteError(error: ApiError, intent: WriteIntent): ApiError {
  const [{ code, detail, source }] = error.problems;
  if (!error.orm || source) return error;
  if (code === 'not-found') return explained(error, missingRecord(intent) ?? detail);
  // The data layer's own text may name a field that the API hides, e.g. a required one that only the host can fill.
  if (code === 'query-error') return explained(error, 'The data layer refused this write.');
  if (code !== 'unique-conflict' && code !== 'reference-conflict') return error;
  return explained(error, detail, 'content' in intent ? conflictSource(error.cause, intent) : undefined);
}

/** All that a write refers to has been found before, so that what is missing now is the record itself. */
function missingRecord(intent: WriteIntent): string | undefined {
  switch (intent.kind) {
    case 'create':
    case 'upsert':
      return undefined;
    case 'update':
    case 'delete':
      return `There is no ${intent.resource.type} with id ${cut(intent.id.text)}.`;
    case 'add':
    case 'replace':
    case 'remove':
      return `There is no ${intent.target.resource.type} with id ${cut(intent.target.id.text)}.`;
  }
}

/** The first given member among the fields of the constraint. */
function conflictSource(cause: unknown, intent: ResourceIntent): ProblemSource | undefined {
  const broken = readBrokenConstraint(cause, intent.resource);
  const { attributes, linkages } = intent.content;
  const attribute = attributes.find((given) => broken.includes(given.attribute.name));
  const linkage = linkages.find(({ relationship }) => relationship.foreignKey?.fields.some((name) => broken.includes(name)));
  const pointer = attribute?.pointer ?? linkage?.pointer;
  return pointer === undefined ? undefined : { pointer };
}

function explained({ problems: [{ code }], orm, cause }: ApiError, detail: string, source?: ProblemSource): ApiError {
  return new ApiError(code, detail, { cause, ...(orm && { orm }), ...(source && { source }) });
}
