import type { DataClient } from '../executor/data-client.js';
import { type CallPlan, isWriting } from '../executor/plan.js';
import { prismaExecutor } from '../executor/prisma-executor.js';
import { runPlan } from '../executor/run-plan.js';
import { undoneByFailures } from '../executor/undone-by-failures.js';
import { ApiError } from '../errors/api-error.js';
import { memberOf } from '../errors/member-of.js';
import type { Limits } from '../model/limits.js';
import { isPrismaNull } from '../model/values/json-value.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Resource } from '../model/surface/surface.js';
import { pickResult } from '../rpc/pick-result.js';
import type { RpcCall } from '../rpc/parse-rpc-call.js';
import { planRpcCall } from '../rpc/plan-rpc-call.js';
import { findOperation, type KnownRpcOperation } from '../rpc/protocol/rpc-operations.js';
import { isContested } from '../rules/contested.js';
import type { WriteObserver } from '../rules/write-observer.js';
import type { CallerContext, RowRules } from '../rules/row-rules.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/** Whose client it is. */
export interface CallersBinding {
  readonly client: DataClient;
  readonly rules: RowRules;
  /** Of all models and fields: see `openModel`. */
  readonly model: ResourceModel;
  /** What stands for the request: rules are evaluated once for each. */
  readonly exchange: CallerContext;
  /** Who is told of what is written: of a transaction that somebody else commits. */
  readonly told?: WriteObserver;
  /** Told of a write that failed: in a transaction that cannot undo it alone. */
  readonly onFailedWrite?: (error: unknown) => void;
}

/**
 * The data client of a caller, for code of the host: Prisma's operations with Prisma's arguments, under the rules. What is hidden from clients of
 * the API is there. A write runs in a transaction, and is undone where a rule refuses it.
 *
 * It has the model delegates and `$transaction`, and no raw SQL, which rules could not be kept on. It answers what the client's own type says, of the
 * members that it has.
 */
export function callersClient<Client extends DataClient>(binding: CallersBinding & { readonly client: Client }): Client;
export function callersClient(binding: CallersBinding): DataClient {
  return new Proxy(Object.freeze({}), {
    get: (_, name): unknown => {
      if (typeof name === 'symbol') return undefined;
      if (name === '$transaction') return transactionOf(binding);
      if (UNRULABLE.has(name)) return rawOf(binding, name);
      const resource = binding.model.byDelegate.get(name.toLowerCase());
      return resource?.delegate === name ? delegateOf(binding, resource) : undefined;
    },
  });
}

const UNRULABLE: ReadonlySet<string> = new Set([
  '$queryRaw',
  '$queryRawUnsafe',
  '$queryRawTyped',
  '$executeRaw',
  '$executeRawUnsafe',
  '$runCommandRaw',
  '$extends',
]);

/** Hooks alone are no rules: raw SQL is not told. */
function rawOf({ client, rules }: CallersBinding, name: string): unknown {
  if (rules.rules || name === '$extends') throw new TypeError(`Rules cannot be kept on ${name}: call it on the client itself.`);
  const raw = memberOf(client, name);
  return typeof raw === 'function' ? (...given: readonly unknown[]): unknown => Reflect.apply(raw, client, given) : raw;
}

function delegateOf(binding: CallersBinding, resource: Resource): object {
  return new Proxy(Object.freeze({}), {
    get: (_, name): unknown => {
      const operation = typeof name === 'string' ? findOperation(name) : undefined;
      if (!operation) return undefined;
      return (args: unknown = {}) =>
        new HostCall(binding, (own) => run(own, { resource, operation, args: hostArguments(operation, args) }));
    },
  });
}

type Args = Readonly<Record<string, unknown>>;

/** Clients of the API have to say that they mean all records; Prisma's callers need not. */
function hostArguments({ name }: KnownRpcOperation, args: unknown): Args {
  const given = withPlainNulls(args) as Args;
  return name.startsWith('update') || name.startsWith('delete') ? { ...(name.includes('Many') && { where: {} }), ...given } : given;
}

async function run({ client, rules, model, exchange, told, onFailedWrite }: CallersBinding, call: RpcCall): Promise<unknown> {
  const plan = planOf(call, model);
  const isApart = isWriting(plan) && (rules.isVersioned || isContested(plan));
  const { asCaller } = await rules.of(plan, exchange, { isApart, ...(told && { open: told }) });
  try {
    return pickResult(plan.call.query, await runPlan(asCaller(prismaExecutor(client)), plan));
  } catch (error) {
    if (isWriting(plan)) onFailedWrite?.(error);
    throw error;
  }
}

/** What is wrong with the arguments is wrong with the host's code. */
function planOf(call: RpcCall, { storage }: ResourceModel): CallPlan {
  try {
    return planRpcCall(call, UNLIMITED, storage);
  } catch (cause) {
    if (cause instanceof ApiError) throw new TypeError(cause.message, { cause });
    throw cause;
  }
}

/** Limits are for clients. */
const UNLIMITED: Limits = {
  maxIncludeDepth: Infinity,
  maxFilterTerms: Infinity,
  maxJoins: Infinity,
  maxDepth: Infinity,
  maxTake: Infinity,
  maxBatchSize: Infinity,
  maxValues: Infinity,
  maxDuration: Infinity,
  maxBodySize: Infinity,
  maxResponseSize: Infinity,
  maxResponseStall: Infinity,
  maxExportRows: Infinity,
};

/** `Prisma.DbNull` and the like are null, which means what the field can hold. */
function withPlainNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainNulls);
  if (isPlainObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withPlainNulls(one)]));
  return isPrismaNull(value) ? null : value;
}

type Work = (open: DataClient) => Promise<unknown>;

/** An array of calls, or a function that is given the client of one transaction. */
function transactionOf(binding: CallersBinding): unknown {
  const begin = memberOf(binding.client, '$transaction');
  if (typeof begin !== 'function') return undefined;
  return async (work: Work | readonly unknown[], ...options: readonly object[]): Promise<unknown> => {
    const told = binding.rules.begin(binding.exchange);
    const whole: Work = (open) =>
      withinTransaction({ ...binding, client: open, ...(told && { told }) }, (own) =>
        typeof work === 'function' ? work(callersClient(own)) : inOrder(work, own),
      );
    const result: unknown = await Reflect.apply(begin, binding.client, [whole, ...options]);
    told?.committed();
    return result;
  };
}

/**
 * Does work on the client of an open transaction, under the rules of the caller.
 *
 * @throws the error of a write or of the client that failed, also where the work has caught it: it must not be kept
 */
export async function withinTransaction<Result>(binding: CallersBinding, work: (own: CallersBinding) => Promise<Result>): Promise<Result> {
  const failures: unknown[] = [];
  const result = await undoneByFailures(withoutTransactions(binding.client), (client) =>
    work({ ...binding, client, onFailedWrite: (error) => failures.push(error) }),
  );
  if (failures.length > 0) throw failures[0];
  return result;
}

/** Not every adapter of Prisma has the savepoints that a transaction in another one takes. */
function withoutTransactions(open: DataClient): DataClient {
  return new Proxy(open, { get: (target, name): unknown => (name === '$transaction' ? undefined : Reflect.get(target, name)) });
}

async function inOrder(calls: readonly unknown[], binding: CallersBinding): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const call of calls) {
    if (!(call instanceof HostCall)) throw new TypeError('$transaction takes calls of this client alone.');
    results.push(await call.beginIn(binding));
  }
  return results;
}

/** A call that begins when it is first awaited, as Prisma's do, or in the array of a `$transaction`. */
export class HostCall implements Promise<unknown> {
  readonly [Symbol.toStringTag] = 'PrismaPromise';
  readonly #binding: CallersBinding;
  readonly #start: (binding: CallersBinding) => Promise<unknown>;
  #begun: Promise<unknown> | undefined;

  constructor(binding: CallersBinding, start: (binding: CallersBinding) => Promise<unknown>) {
    this.#binding = binding;
    this.#start = start;
  }

  /** Begins it on the client of a transaction. */
  beginIn(binding: CallersBinding): Promise<unknown> {
    return this.#start(binding);
  }

  then<Done = unknown, Failed = never>(
    onFulfilled?: ((value: unknown) => Done | PromiseLike<Done>) | null,
    onRejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#begin().then(onFulfilled, onRejected);
  }

  catch<Failed = never>(onRejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null): Promise<unknown> {
    return this.#begin().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<unknown> {
    return this.#begin().finally(onFinally);
  }

  #begin(): Promise<unknown> {
    return (this.#begun ??= this.#start(this.#binding));
  }
}
