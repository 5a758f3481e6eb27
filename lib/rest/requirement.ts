import { type ActionRequirement, isChanging } from '../actions/action-requirement.js';
import type { CallPlan } from '../executor/plan.js';
import { ApiError, type ProblemSource } from '../errors/api-error.js';
import { toApiError } from '../errors/to-api-error.js';
import { storedModel } from '../model/storage/stored-model.js';
import type { Resource } from '../model/surface/surface.js';
import type { ApiRequest } from '../http/api-request.js';
import { type EntityTags, parseTags, readPreconditions, requireNoPreconditions, TAGS } from '../http/preconditions.js';
import { type Condition, NEVER } from '../query/condition.js';
import { withFields } from '../query/fields.js';
import type { FindUnique } from '../query/read.js';
import type { Row } from '../query/result.js';
import { matchesRowHash, requiredVersion } from '../run/stages/versions/required-version.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { rowHash } from '../wire/row-hash.js';
import { explainWriteError } from './explain-write-error.js';
import { bodyError } from './parse/body-error.js';
import { resourceOf, type ResourceIntent, type WriteIntent } from './parse/write-intent.js';
import type { PlanContext } from './plan/plan-context.js';
import { findById } from './plan/plan-read.js';
import type { NamedAction } from './protocol/rest-endpoints.js';
import { selectKey } from './projection/select-projection.js';

/** What a write requires of the row that it changes. */
export interface Requirement {
  readonly condition: Condition;
  /** The header that says so; absent where one must say so, and none does. */
  readonly header?: 'If-Match' | 'If-None-Match';
  /** Tags with a hash of the row, which {@link ofRow} makes a condition of. */
  readonly hashes?: readonly string[];
  /** In place of a header, the member of an operation that says so, or the operation that lacks it. */
  readonly source?: ProblemSource;
}

/**
 * Reads the preconditions of a write (CC-21, CC-22).
 *
 * @returns undefined where it has none, and needs none
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
 * Reads what a request requires of the record of an action. One that takes the right to update or delete it requires a version as other writes do.
 *
 * @throws ApiError `unsupported-header`, also for an action on the collection
 */
export function actionRequirement(
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
 * A requirement by tags with a hash of the row (CC-16): the row is read, and where its hash is one of them, it must keep the values that were read.
 *
 * @param ask finds the row, whoever may read it: only who knows the hash of what is shown learns anything
 */
export async function ofRow(
  requirement: Requirement | undefined,
  intent: WriteIntent,
  context: PlanContext,
  ask: (query: FindUnique) => Promise<Row | null>,
): Promise<Requirement | undefined> {
  const { hashed } = resourceOf(intent).version ?? {};
  const look = requirement?.hashes && planLook(intent, context);
  if (!hashed || !look) return requirement;
  const { model, where, ...query } = look.call.query;
  const names = hashed.map(({ name }) => name);
  const row = await ask({ ...query, model, where, selection: withFields(query.selection, names) });
  const isCurrent = row !== null && requirement.hashes.includes(rowHash(row, hashed) ?? '');
  return isCurrent ? { ...requirement, condition: matchesRowHash(model, row, hashed) } : requirement;
}

/** What finds no row writes nothing, and comes after every other reason to refuse the request. */
const MISSING: Requirement = { condition: NEVER };

/**
 * Reads what an operation of a request requires, its `meta.ifMatch` (CC-31): a request of several writes has no header for each.
 *
 * @throws ApiError with pointers from the operation itself
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

/** What a document is to do, and what it requires. */
interface RequiredIntent {
  readonly intent: ResourceIntent;
  readonly requirement?: Requirement | undefined;
}

/** The preconditions of `POST` (CC-22, CC-23): only an upsert has any. With `If-None-Match: *` it only creates, which the unique key decides. */
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

/** Asks whether the row of a write is there, and may be seen; undefined for an upsert, whose row need not be, and for what the request itself creates. */
function planLook(intent: WriteIntent, { model: { storage } }: PlanContext): CallPlan<FindUnique> | undefined {
  const place = 'target' in intent ? intent.target : intent;
  if (!('id' in place) || place.id.lid !== undefined) return undefined;
  return { kind: 'call', call: { query: findById(place, selectKey(place.resource, storage), storage) } };
}

/**
 * Why a write whose requirement does not hold is refused. If its row is not there for the caller, what it requires of it plays no part (CC-05,
 * CC-20): it would be 404 without, too.
 *
 * @param run looks at the row, after all is undone
 */
export async function unmet(
  requirement: Requirement,
  { intent, context, cause }: Unmet,
  run: (look: CallPlan<FindUnique>) => Promise<Row | null>,
): Promise<ApiError> {
  const look = planLook(intent, context);
  if (!look || (await run(look)) !== null) return mismatch(requirement, cause);
  return explainWriteError(new ApiError('not-found', 'There is no such resource.', { orm: {} }), intent, context.model.storage);
}

/** A write that was refused by its requirement. */
interface Unmet {
  readonly intent: WriteIntent;
  readonly context: PlanContext;
  readonly cause: unknown;
}

/** The row is there, and not as the request requires: 412, or 428 where it should have required something (RFC 6585, section 3). */
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
