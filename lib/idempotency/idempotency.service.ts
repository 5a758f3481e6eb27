import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { ErrorCode } from '../errors/error-catalogue.js';
import { errorMessage } from '../errors/error-message.js';
import { isOutcomeUnknown, originalErrorOf } from '../errors/to-api-error.js';
import type { PlanRunner } from '../run/plan-runner.service.js';
import type { ApiReply } from '../http/api-request.js';
import type { RequestContext, IdempotencyHandler } from '../platform/request-context.js';
import { namedActions, operationsIn } from '../platform/resource-operation.js';
import { writtenReply } from '../http/written-reply.js';
import { digest, fingerprintOf } from './fingerprint.js';
import type { IdempotencySettings } from './compile-idempotency.js';
import { KeyedWrite } from './keyed-write.js';
import { KeyHeldError, type Looking } from './key-records.js';
import type { StoredReply, RecordId } from '../options/idempotency-store.js';

/**
 * Executes writes with an `Idempotency-Key`: each key has one effect, and all requests with it receive the same response.
 *
 * The guards have run by now, so that a rejected caller never receives a stored response. A stored response is sent before any check of the
 * operation, preconditions included.
 */
export class Idempotency implements IdempotencyHandler {
  constructor(
    private readonly settings: IdempotencySettings,
    private readonly runner: Pick<PlanRunner, 'runQuery'>,
    /** Whether REST accepts keys in double quotes only. */
    private readonly strict: boolean,
  ) {}

  /** Executes a write once for its key, or replays the stored response. @throws ApiError of one of the codes for keys; any error of the operation */
  async executeOnce(requestContext: RequestContext, operate: () => Promise<ApiReply>): Promise<ApiReply> {
    if (!isWrite(requestContext) || requestContext.reading?.isDryRun) return operate();
    const header = requestContext.headers[IDEMPOTENCY_KEY.toLowerCase()];
    const key = readKey(header, this.strict && requestContext.point.style.name === 'rest');
    if (key !== undefined) return this.executeKeyed({ requestContext, operate, ...this.identify(requestContext, key) });
    if (!this.isRequired(requestContext)) return operate();
    throw refusal('idempotency-key-required', `This needs the header ${IDEMPOTENCY_KEY}: a random text, the same for each attempt.`);
  }

  private isRequired(requestContext: RequestContext): boolean {
    return operationsIn(requestContext.reading?.operation).some((operation) =>
      namedActions(operation).some((action) => this.settings.keyed.isRequired(operation.model, action)),
    );
  }

  private identify(requestContext: RequestContext, key: string): Pick<Keyed, 'id' | 'fingerprint'> {
    const caller: unknown = this.settings.caller(requestContext.request);
    if (typeof caller !== 'string' || caller.length > MAX_CALLER) throw unusableCaller(caller);
    if (caller === '' && key.length < RANDOM_LENGTH) {
      throw unsupportedKey(`A caller who is nobody needs a random key, such as a UUID: of ${RANDOM_LENGTH} characters or more.`);
    }
    const { method } = requestContext;
    const [path = ''] = requestContext.request.url.split('?', 1);
    // The digest includes the key, because some databases compare texts case-insensitively.
    const scope = `${caller} ${digest([caller, method, path, key])}`;
    return { id: { scope, key }, fingerprint: fingerprintOf(requestContext, path, requestContext.reading?.keyed) };
  }

  private async executeKeyed(keyed: Keyed): Promise<ApiReply> {
    // The clock of the machine may be set meanwhile.
    const until = performance.now() + this.settings.waitMs;
    for (let pause = FIRST_PAUSE; ; pause *= 2) {
      const kept = await this.settings.records.find(keyed.id, this.lookingFor(keyed.requestContext));
      const isFresh = kept !== undefined && kept.expiresAt > new Date();
      if (isFresh && kept.fingerprint !== keyed.fingerprint) throw reused();
      if (isFresh) return replayed(kept.reply);
      const reply = await this.attempt(keyed, kept !== undefined, until - performance.now());
      if (reply) return reply;
      const left = until - performance.now();
      if (left <= 0) throw inProgress();
      await delay(Math.min(pause, left));
    }
  }

  private lookingFor(requestContext: RequestContext): Looking {
    return { requestContext, runner: this.runner };
  }

  /**
   * Tries to claim the key and to execute the write.
   *
   * @param patience milliseconds for which the claim may wait
   * @returns undefined if another request has claimed the key
   */
  private async attempt(
    { requestContext, operate, id, fingerprint }: Keyed,
    replaces: boolean,
    patience: number,
  ): Promise<ApiReply | undefined> {
    const expiresAt = new Date(Date.now() + this.settings.keyed.ttl);
    const write = new KeyedWrite(
      this.settings.records,
      this.lookingFor(requestContext),
      { id, fingerprint, expiresAt, replaces },
      patience,
    );
    requestContext.record = write;
    const answered = operate().catch(async (error: unknown) => {
      if (isOutcomeUnknown(error)) throw unconfirmed(error);
      const released = write.giveUp().catch(logClaim);
      // The response does not wait for a store that has not returned before the deadline.
      if (!write.isRunning) await released;
      if (originalErrorOf(error) instanceof KeyHeldError) return undefined;
      throw error;
    });
    return Promise.race([answered, write.tooLate.then(() => undefined)]);
  }
}

const logger = new Logger('ResourceApi');

/** Logs that a claim could not be released. The client receives the error of its write instead. */
function logClaim(error: unknown): void {
  const { summary, details } = errorMessage(error);
  logger.error(`An idempotency key of a write that failed could not be given up: ${summary}`, details);
}

interface Keyed {
  readonly requestContext: RequestContext;
  readonly operate: () => Promise<ApiReply>;
  readonly id: RecordId;
  readonly fingerprint: string;
}

/** Milliseconds before the second attempt to claim a key that another request has claimed. Each further pause is twice as long. */
const FIRST_PAUSE = 20;

/** The largest length of a caller's name. With the digest it fits the default length of a text in MySQL. */
const MAX_CALLER = 120;

/** The length of 128 random bits in base64url. */
const RANDOM_LENGTH = 22;

/** Whether the request may write. An action of the application may write whichever right it requires. */
function isWrite({ reading }: RequestContext): boolean {
  return operationsIn(reading?.operation).some((operation) => namedActions(operation).some((action) => action !== 'read'));
}

/** Returns the stored response, with the header `Idempotency-Replayed`. */
function replayed({ status, headers, body }: StoredReply): ApiReply {
  const head = { status, headers: { ...headers, 'Idempotency-Replayed': 'true' } };
  if (!body) return head;
  const bytes = Buffer.from(body);
  return writtenReply(head, () => bytes);
}

function refusal(code: ErrorCode, detail: string, headers?: Readonly<Record<string, string>>): ApiError {
  return new ApiError(code, detail, { source: { header: IDEMPOTENCY_KEY }, ...(headers && { headers }) });
}

function reused(): ApiError {
  return refusal('idempotency-key-reused', 'This key came with another request before. Take a new one for each write.');
}

function inProgress(): ApiError {
  return refusal('idempotency-in-progress', 'The first request with this key is still running. Try again later, with the same key.', {
    'Retry-After': '1',
  });
}

/** Returns the error of a commit whose outcome is unknown. A retry with the same key finds the record exactly if the write was committed. */
function unconfirmed(cause: unknown): ApiError {
  const detail = 'The database did not confirm this write. Try again with the same key: it is done once.';
  return new ApiError('unavailable', detail, { headers: { 'Retry-After': '1' }, cause });
}

function unusableCaller(caller: unknown): ConfigurationError {
  const problem = typeof caller === 'string' ? `a text of ${caller.length} characters` : typeof caller;
  return new ConfigurationError(
    `idempotency.caller gave ${problem}.`,
    `Return a text of ${MAX_CALLER} characters at most that names who asks, and '' for nobody.`,
  );
}

/** The name of the header, as errors and documents write it. */
const IDEMPOTENCY_KEY = 'Idempotency-Key';

/**
 * Returns the key of a request. It is a String of RFC 9651 in double quotes, or bare, as many clients write it. Both forms denote the same key.
 * Parameters are ignored.
 *
 * @param header as Node returns it; several headers are one text, with commas between them
 * @param strict whether a bare key is rejected
 * @returns undefined if the header is absent
 * @throws ApiError `unsupported-header`
 */
function readKey(header: string | readonly string[] | undefined, strict = false): string | undefined {
  if (header === undefined) return undefined;
  const text = [header].flat().join(', ');
  const key = quotedKey(text) ?? (strict ? undefined : BARE.exec(text)?.[1]) ?? '';
  if (key.length > 0 && key.length <= MAX_LENGTH) return key;
  const forms = strict ? 'in double quotes' : 'in double quotes, or bare letters, digits and signs';
  throw unsupportedKey(`${IDEMPOTENCY_KEY} must be one key of 1 to ${MAX_LENGTH} characters, ${forms}.`);
}

function quotedKey(text: string): string | undefined {
  return QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1');
}

function unsupportedKey(detail: string): ApiError {
  return new ApiError('unsupported-header', detail, { source: { header: IDEMPOTENCY_KEY } });
}

const MAX_LENGTH = 255;
/** A String of RFC 9651, section 3.3.3, and its parameters. */
const QUOTED = /^[ \t]*"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"[ \t]*(?:;.*)?$/;
const BARE = /^[ \t]*([!#$%&'*+\-.^_|~:/A-Za-z0-9=]+)[ \t]*(?:;.*)?$/;
