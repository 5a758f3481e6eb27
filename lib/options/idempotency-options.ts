import type { ResourceSchema } from '../model/schema/resource-schema.js';
import type { Action } from '../model/surface/surface.js';
import type { OwnActionName } from './api-style.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { IdempotencyStore } from './idempotency-store.js';

/** Options of idempotency keys: a client may repeat a write with the same `Idempotency-Key`, and the write is done once. */
export interface IdempotencyOptions<Schema extends ResourceSchema = ResourceSchema> {
  /**
   * Identifies the caller of a request, e.g. by the id of the user. Each caller has separate keys. It is called after the guards. The text
   * has at most 120 characters; for a longer one, or another type, the response is 500. `''` identifies an anonymous caller, whose keys
   * must be random and have at least 22 characters.
   *
   * @param request the request of Express or Fastify, with the properties that guards have added
   */
  readonly caller: CallerOf;
  /** Prisma's name of the model that stores the responses. The API never exposes it. @default 'IdempotencyKey' */
  readonly model?: string;
  /** Stores the responses elsewhere than in a model of the Prisma schema. The model is then not needed. */
  readonly store?: IdempotencyStore<never>;
  /** How long a response is stored: milliseconds, or a text such as `'30m'`, `'24h'` or `'7d'`. @default '24h' */
  readonly ttl?: number | string;
  /** How long a request waits for an earlier one with the same key, in milliseconds. After it the response is 409. @default 2000 */
  readonly waitMs?: number;
  /**
   * Actions that are refused with 400 if the request has no key, by model. Methods with `@ResourceAction` are listed by their names. `'*'`
   * applies to all models that are not listed.
   *
   * @example
   * idempotency: { caller: ({ callerId }: CallerRequest) => String(callerId ?? ''), required: { Comment: ['create', 'publish'], '*': [] } }
   */
  readonly required?: Readonly<Partial<Record<keyof Schema['models'] | '*', readonly KeyedAction[]>>>;
}

/** A writing action of a model, or the name of a method with `@ResourceAction`. */
export type KeyedAction = Exclude<Action, 'read'> | OwnActionName;

/**
 * A function that identifies the caller of a request.
 *
 * It is declared as a method, so that its parameter is bivariant and your application can use its own request type.
 */
export type CallerOf = { bivarianceHack(request: PlatformRequest): string }['bivarianceHack'];
