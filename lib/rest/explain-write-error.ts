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
import { isOneToOne, takenProblem } from './plan/one-to-one-checks.js';
import { valuePointer } from './validate-intent.js';

/**
 * Adds to an error of the data layer the record, and a pointer to the member of the body that broke a constraint (CR-12, UP-12). An error with an
 * ambiguous cause, and one that the application has mapped, is returned unchanged.
 */
export function explainWriteError(error: ApiError, intent: WriteIntent, storage: Storage): ApiError {
  const [{ code, detail, source }] = error.problems;
  if (!error.orm || source) return error;
  if (code === 'not-found') return explained(error, missingRecord(intent) ?? detail);
  // The message of the data layer may name a hidden field, e.g. a required one that only the application can set.
  if (code === 'query-error') return explained(error, 'The data layer refused this write.');
  if ('content' in intent) return withPlace(error, intent, storage);
  return 'linkage' in intent ? withConflict(error, linkedContent(intent), storage) : error;
}

/** Returns the change of a relationship endpoint as the content of a document. */
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

/** Adds pointers to the values that ZenStack's validation attributes reject. A violated CHECK constraint of the database names no field. */
function withPointers(error: ApiError, content: ResourceContent): ApiError {
  const problems = invalidValues(error.cause).map(({ path: [, ...path], message }): Problem => {
    return { code: 'validation-error', detail: sentence(message), source: { pointer: valuePointer(path, content) } };
  });
  return problems.length > 0 ? changeError(ApiError.of(problems), { cause: error.cause, ...(error.orm && { orm: error.orm }) }) : error;
}

/** Adds a pointer to the attribute whose value does not fit its column, if only one attribute can be the cause. */
function withSuspect(error: ApiError, { content, resource }: ResourceIntent, storage: Storage): ApiError {
  const found = locateInvalidValue(error.cause, content.attributes, storedModel(storage, resource.model));
  if (!found) return error;
  const { detail } = error.problems[0];
  return explained(error, `${detail.replace(/\.$/, '')} ('${found.attribute.member}').`, { pointer: found.pointer });
}

/**
 * Returns the message for a missing record. Earlier checks have found all referenced records, so that only the written record itself can be missing.
 */
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
  /** The message that the linked record already belongs to another record. */
  readonly taken?: string;
}

/** Returns the first member of the document that is a field of the violated constraint. */
function conflictPlace(cause: unknown, { resource, content }: Written, storage: Storage): ConflictPlace {
  const { attributes, linkages } = content;
  // Other tables that the write changes have a constraint of the same name.
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
