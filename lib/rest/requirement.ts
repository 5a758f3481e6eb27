import { type ActionRequirement, isChanging } from '../actions/action-requirement.js';
import type { CallPlan } from '../executor/plan.js';
import { ApiError, type ProblemSource } from '../errors/api-error.js';
import { toApiError } from '../errors/to-api-error.js';
import { storedModel } from '../model/storage/stored-model.js';
import type { Resource } from '../model/surface/surface.js';
import type { ApiRequest } from '../http/api-request.js';
import { type EntityTags, parseTags, readPreconditions, requireNoPreconditions, TAGS } from '../http/preconditions.js';
import { type Condition, NEVER, type UniqueCondition } from '../query/condition.js';
import { uniqueCondition } from '../query/key.js';
import { type FindUnique, findRow } from '../query/read.js';
import type { Row } from '../query/result.js';
import { matchesRowHash, requiredVersion } from '../run/checks/required-version.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { rowHash } from '../wire/row-hash.js';
import { explainWriteError } from './explain-write-error.js';
import { bodyError } from './parse/body-error.js';
import { resourceOf, type ResourceIntent, type WriteIntent } from './parse/write-intent.js';
import type { PlanContext } from './plan/plan-context.js';
import type { NamedAction } from './protocol/rest-endpoints.js';

/** The precondition of a write on the row that it changes. */
export interface Requirement {
  readonly condition: Condition;
  /** The header with the precondition. Absent if a required precondition is missing. */
  readonly header?: 'If-Match' | 'If-None-Match';
  /** Tags with a hash of the row, which {@link resolveRowHash} converts into a condition. */
  readonly hashes?: readonly string[];
  /** The member of an operation with the precondition, or the operation that lacks it. It replaces the header in errors. */
  readonly source?: ProblemSource;
}

/**
 * Reads the preconditions of a write (CC-21, CC-22).
 *
 * @returns undefined if the request has none, and needs none
 * @throws ApiError `unsupported-header`
 */
export function requirementOf(request: ApiRequest, resource: Resource, { model, settings }: PlanContext): Requirement | undefined {
  const given = readPreconditions(request);
  const isRequired = resource.version?.isRequired === true;
  if (!given) return isRequired ? MISSING : undefined;
  const { ifMatch, ifNoneMatch } = given;
  const stored = storedModel(model.storage, resource.model);
  if (!stored.version && Array.isArray(ifNoneMatch)) requireNoPreconditions(request, `${resource.type} has no version to be named.`);
  const condition = requiredVersion(given, stored, settings.acceptWeakTags === true);
  if (ifMatch !== undefined) return { condition, header: 'If-Match', ...hashesIn(ifMatch, resource, settings) };
  return isRequired && ifNoneMatch !== '*' ? MISSING : { condition, header: 'If-None-Match' };
}

/**
 * Reads the preconditions of an action on its record. An action with the right to update or delete requires a version like other writes.
 *
 * @throws ApiError `unsupported-header`, also for an action on the collection
 */
export function restActionRequirement(
  request: ApiRequest,
  { resource, action }: NamedAction,
  context: PlanContext,
): ActionRequirement | undefined {
  if (action.on === 'collection') {
    requireNoPreconditions(request, 'An action on a collection is about no record that has a version.');
    return undefined;
  }
  const requirement = requirementOf(request, resource, context);
  if (!requirement || (!requirement.header && !isChanging(action))) return undefined;
  const { condition, hashes } = requirement;
  const { hashed } = resource.version ?? {};
  const isNamed = (row: Row): boolean => hashes?.includes(rowHash(row, hashed ?? []) ?? '') === true;
  const refuse = (): ApiError => mismatch(requirement);
  return { condition, refuse, ...(hashes && hashed && { hash: { fields: hashed.map(({ name }) => name), isNamed } }) };
}

function hashesIn(
  tags: EntityTags,
  { version }: Resource,
  { acceptWeakTags = false }: PlanContext['settings'],
): Pick<Requirement, 'hashes'> {
  if (tags === '*' || !version?.hashed) return {};
  return { hashes: tags.flatMap(({ isWeak, value }) => (isWeak && !acceptWeakTags ? [] : (value.split('.', 1)[0] ?? []))) };
}

/**
 * Resolves a precondition with row hashes (CC-16). It reads the row. If the hash of the row is among the tags, the row must still have the values
 * that were read.
 *
 * @param read reads the row without the caller's rules. This reveals nothing, because the hash is only available to clients that have read the row
 */
export async function resolveRowHash(
  requirement: Requirement | undefined,
  intent: WriteIntent,
  context: PlanContext,
  read: (query: FindUnique) => Promise<Row | null>,
): Promise<Requirement | undefined> {
  const { hashed } = resourceOf(intent).version ?? {};
  const target = requirement?.hashes && targetRow(intent, context);
  if (!hashed || !target) return requirement;
  const names = hashed.map(({ name }) => name);
  const query = findRow(target, names);
  const row = await read(query);
  const isCurrent = row !== null && requirement.hashes.includes(rowHash(row, hashed) ?? '');
  return isCurrent ? { ...requirement, condition: matchesRowHash(query.model, row, hashed) } : requirement;
}

/**
 * The requirement of a write without a required precondition. It matches no row, so that nothing is written, and every other error takes precedence.
 */
const MISSING: Requirement = { condition: NEVER };

/**
 * Reads the precondition of an operation, its `meta.ifMatch` (CC-31). A request of several writes cannot use headers, because they apply to all.
 *
 * @throws ApiError with pointers relative to the operation
 */
export function operationRequirement(
  { meta }: Readonly<Record<string, unknown>>,
  intent: WriteIntent,
  { model, settings }: PlanContext,
): Requirement | undefined {
  const given = isPlainObject(meta) ? meta['ifMatch'] : undefined;
  const resource = resourceOf(intent);
  if (given === undefined) {
    const isRequired = intent.kind !== 'create' && resource.version?.isRequired === true;
    return isRequired ? { ...MISSING, source: { pointer: '' } } : undefined;
  }
  const ifMatch = typeof given === 'string' ? parseTags(given) : undefined;
  if (ifMatch === undefined) throw bodyError('invalid-value', IF_MATCH, `The member ifMatch must be ${TAGS}.`);
  if (intent.kind === 'create') throw bodyError('invalid-payload', IF_MATCH, 'What is created has no version yet: leave it out.');
  const condition = requiredVersion({ ifMatch }, storedModel(model.storage, resource.model), settings.acceptWeakTags === true);
  return { condition, header: 'If-Match', source: { pointer: IF_MATCH }, ...hashesIn(ifMatch, resource, settings) };
}

const IF_MATCH = '/meta/ifMatch';

/** The write of a document, and its precondition. */
interface RequiredIntent {
  readonly intent: ResourceIntent;
  readonly requirement?: Requirement | undefined;
}

/**
 * Applies the preconditions of `POST` (CC-22, CC-23), which only an upsert has. `If-None-Match: *` turns an upsert into a create. The unique key then
 * rejects an existing record.
 */
export function requiredIntent(intent: ResourceIntent, request: ApiRequest, context: PlanContext): RequiredIntent {
  if (intent.kind === 'create') {
    requireNoPreconditions(request, 'What is created has no version yet: leave it out.');
    return { intent };
  }
  const requirement = requirementOf(request, intent.resource, context);
  if (requirement?.hashes) requireNoPreconditions(request, 'An upsert knows no tag with a hash of the row: leave it out.');
  const createsOnly = requirement?.header === 'If-None-Match' && requirement.condition.kind === 'never';
  return createsOnly ? { intent: { kind: 'create', resource: intent.resource, content: intent.content } } : { intent, requirement };
}

/**
 * Returns the row of a write; undefined for creates and upserts, whose row need not exist, and for a row that the request itself creates.
 */
function targetRow(intent: WriteIntent, { model: { storage } }: PlanContext): UniqueCondition | undefined {
  const place = 'target' in intent ? intent.target : intent;
  if (!('id' in place) || place.id.lid !== undefined) return undefined;
  return uniqueCondition(storedModel(storage, place.resource.model), place.resource.identifier, place.id.values);
}

/**
 * Returns the error of a write whose precondition does not hold. If its row does not exist for the caller, the error is 404, as without a
 * precondition (CC-05, CC-20).
 *
 * @param run executes the look-up of the row, after the rollback
 */
export async function unmet(
  requirement: Requirement,
  { intent, context, cause }: Unmet,
  run: (look: CallPlan<FindUnique>) => Promise<Row | null>,
): Promise<ApiError> {
  const row = targetRow(intent, context);
  if (!row || (await run({ kind: 'call', call: { query: findRow(row) } })) !== null) return mismatch(requirement, cause);
  return explainWriteError(new ApiError('not-found', 'There is no such resource.', { orm: {} }), intent, context.model.storage);
}

/** A write whose precondition did not hold. */
interface Unmet {
  readonly intent: WriteIntent;
  readonly context: PlanContext;
  readonly cause: unknown;
}

/** Returns the error for an existing row that does not meet the precondition: 412, or 428 if the precondition is missing (RFC 6585, section 3). */
function mismatch({ header, source }: Requirement, cause?: unknown): ApiError {
  if (header === undefined) {
    const detail = `Say which version this changes: send its ETag, or meta.etag of the resource, as ${source ? 'meta.ifMatch' : 'If-Match'}.`;
    const headers = { 'Cache-Control': 'no-store' };
    return new ApiError('precondition-required', detail, { source: source ?? { header: 'If-Match' }, headers });
  }
  const { orm } = toApiError(cause);
  return new ApiError('precondition-failed', DETAILS[header], { source: source ?? { header }, cause, ...(orm && { orm }) });
}

const DETAILS = {
  'If-Match': 'The resource has changed since its ETag was given, or a proxy has weakened the tag (W/): fetch it again.',
  'If-None-Match': 'The resource is as If-None-Match says that it must not be.',
} as const;
