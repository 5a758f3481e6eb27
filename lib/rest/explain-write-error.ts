import { ApiError, type Problem, type ProblemSource } from '../errors/api-error.js';
import { changeError } from '../errors/change-error.js';
import { invalidValues } from '../errors/invalid-values.js';
import { sentence } from '../errors/sentence.js';
import { locateInvalidValue } from '../model/storage/locate-invalid-value.js';
import { isEveryTables, readBrokenConstraint } from '../model/storage/read-broken-constraint.js';
import type { Storage } from '../model/storage/storage.js';
import { storedModel, storedRelation } from '../model/storage/stored-model.js';
import { nameOfId } from './parse/parse-target.js';
import type { LinkageIntent, ResourceContent, ResourceIntent, WriteIntent } from './parse/write-intent.js';
import { isOneToOne, takenProblem } from './plan/taken-records.js';
import { valuePointer } from './validate-intent.js';

/**
 * Says of an error of the data layer which record it is about, and points at the member of the body that broke a constraint (CR-12, UP-12),
 * where that is beyond doubt. Any other error, and a host's own mapping of one, stays as it is.
 */
export function explainWriteError(error: ApiError, intent: WriteIntent, storage: Storage): ApiError {
  const [{ code, detail, source }] = error.problems;
  if (!error.orm || source) return error;
  if (code === 'not-found') return explained(error, missingRecord(intent) ?? detail);
  // The data layer's own text may name a field that the API hides, e.g. a required one that only the host can fill.
  if (code === 'query-error') return explained(error, 'The data layer refused this write.');
  if ('content' in intent) return withPlace(error, intent, storage);
  return 'linkage' in intent ? withConflict(error, linkedContent(intent), storage) : error;
}

/** What a relationship endpoint writes, as a document. */
function linkedContent({ target: { resource }, linkage }: LinkageIntent): Written {
  return { resource, content: { attributes: [], linkages: [linkage] } };
}

function withPlace(error: ApiError, intent: ResourceIntent, storage: Storage): ApiError {
  const [{ code }] = error.problems;
  if (code === 'validation-error') return withPointers(error, intent.content);
  if (code === 'invalid-value') return withSuspect(error, intent, storage);
  return withConflict(error, intent, storage);
}

type Written = Pick<ResourceIntent, 'resource' | 'content'>;

function withConflict(error: ApiError, written: Written, storage: Storage): ApiError {
  const [{ code, detail }] = error.problems;
  if (code !== 'unique-conflict' && code !== 'reference-conflict') return error;
  const place = conflictPlace(error.cause, written, storage);
  return explained(error, (code === 'unique-conflict' ? place.taken : undefined) ?? detail, place.source);
}

/** The values that ZenStack's validation attributes refuse; a CHECK of the database names none. */
function withPointers(error: ApiError, content: ResourceContent): ApiError {
  const problems = invalidValues(error.cause).map(({ path: [, ...path], message }): Problem => {
    return { code: 'validation-error', detail: sentence(message), source: { pointer: valuePointer(path, content) } };
  });
  return problems.length > 0 ? changeError(ApiError.of(problems), { cause: error.cause, ...(error.orm && { orm: error.orm }) }) : error;
}

/** The attribute whose value does not fit its column, where only one can be meant. */
function withSuspect(error: ApiError, { content, resource }: ResourceIntent, storage: Storage): ApiError {
  const found = locateInvalidValue(error.cause, content.attributes, storedModel(storage, resource.model));
  if (!found) return error;
  const { detail } = error.problems[0];
  return explained(error, `${detail.replace(/\.$/, '')} ('${found.attribute.member}').`, { pointer: found.pointer });
}

/** All that a write refers to has been found before, so that what is missing now is the record itself. */
function missingRecord(intent: WriteIntent): string | undefined {
  switch (intent.kind) {
    case 'create':
    case 'upsert':
      return undefined;
    case 'update':
    case 'delete':
      return `There is no ${intent.resource.type} with ${nameOfId(intent.id)}.`;
    case 'add':
    case 'replace':
    case 'remove':
      return `There is no ${intent.target.resource.type} with ${nameOfId(intent.target.id)}.`;
  }
}

interface ConflictPlace {
  readonly source?: ProblemSource;
  /** Explains that the record which the member names belongs to another one. */
  readonly taken?: string;
}

/** The first given member among the fields of the constraint. */
function conflictPlace(cause: unknown, { resource, content }: Written, storage: Storage): ConflictPlace {
  const { attributes, linkages } = content;
  // What changes there with this resource has a key of that name, too.
  if (isEveryTables(cause) && linkages.some(({ relationship }) => relationship.link !== 'own-key')) return {};
  const broken = readBrokenConstraint(cause, storedModel(storage, resource.model));
  const attribute = attributes.find((given) => broken.includes(given.attribute.name));
  const linkage = linkages.find(({ relationship }) => {
    return storedRelation(storage, relationship).foreignKey?.fields.some((name) => broken.includes(name));
  });
  if (attribute) return { source: { pointer: attribute.pointer } };
  if (!linkage) return {};
  const relation = storedRelation(storage, linkage.relationship);
  const taken = isOneToOne(relation, storage) && { taken: takenProblem(relation, content, resource).detail };
  return { source: { pointer: linkage.pointer }, ...taken };
}

function explained({ problems: [{ code }], orm, cause }: ApiError, detail: string, source?: ProblemSource): ApiError {
  return new ApiError(code, detail, { cause, ...(orm && { orm }), ...(source && { source }) });
}
