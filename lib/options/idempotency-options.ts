import type { ResourceSchema } from '../model/schema/resource-schema.js';
import type { Action } from '../model/surface/surface.js';
import type { OwnActionName } from './api-style.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { IdempotencyStore } from './idempotency-store.js';

/** What the option `idempotency` takes: writes may be sent again under the same `Idempotency-Key`, and have one effect. */
export interface IdempotencyOptions<Schema extends ResourceSchema = ResourceSchema> {
  /**
   * Who asks, e.g. the id of the user: the keys of one caller say nothing of another's. `''` stands for those who are nobody, whose keys have to be
   * random.
   *
   * @param request the platform's request: Express' or Fastify's, with what the guards have put on it
   */
  readonly caller: CallerOf;
  /** Prisma's name of the model that keeps the answers. It is hidden from the API by itself. @default 'IdempotencyKey' */
  readonly model?: string;
  /** Keeps the answers elsewhere than in a model of the schema, which is then not needed. */
  readonly store?: IdempotencyStore<never>;
  /** How long an answer is kept: milliseconds, or a text like `'30m'`, `'24h'` or `'7d'`. @default '24h' */
  readonly ttl?: number | string;
  /** Milliseconds that a request waits for an earlier one with the same key. @default 2000 */
  readonly waitMs?: number;
  /**
   * What is refused without a key: the actions of each model, those of `@ResourceAction` by their names. `'*'` is for the models that are not named.
   *
   * @example
   * idempotency: { caller: ({ callerId }: CallerRequest) => String(callerId ?? ''), required: { Comment: ['create', 'publish'], '*': [] } }
   */
  readonly required?: Readonly<Partial<Record<keyof Schema['models'] | '*', readonly KeyedAction[]>>>;
}

/** What changes something: an action of a model, or the name of one of the host's own. */
export type KeyedAction = Exclude<Action, 'read'> | OwnActionName;

/** A method signature, so that a host may name its own request type. */
export type CallerOf = { bivarianceHack(request: PlatformRequest): string }['bivarianceHack'];
