import type { DataClient } from '../executor/data-client.js';
import { type CallPlan, isWriting } from '../executor/plan.js';
import { prismaExecutor } from '../executor/prisma-executor.js';
import { runPlan } from '../executor/run-plan.js';
import { toApiError } from '../errors/to-api-error.js';
import { addRows, type RunTally } from '../executor/run-tally.js';
import { undoneByFailures } from '../executor/client/undone-by-failures.js';
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
import { needsDecomposition } from '../rules/contested.js';
import type { WriteObserver } from '../rules/write-observer.js';
import type { CallerContext, RowRules } from '../rules/row-rules.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/** A data client and the caller to which it is bound. */
export interface CallersBinding {
  readonly client: DataClient;
  readonly rules: RowRules;
  /** The model with all models and fields exposed: see `fullyExposedModel`. */
  readonly model: ResourceModel;
  /** The context of the request. Rules are evaluated once for each context. */
  readonly requestContext: CallerContext;
  /** The observer of writes in an open transaction. The code that commits the transaction also notifies the observer of the commit. */
  readonly observer?: WriteObserver;
  /** Receives the error of a failed write in an open transaction, which cannot roll back that write alone. */
  readonly onFailedWrite?: (error: unknown) => void;
  /** Without it, or with null, calls have no spans. */
  readonly telemetry?: Telemetry | null;
}

/**
 * Returns the data client of a caller for code of the application: Prisma's operations and arguments, under the rules. Models and fields that are
 * hidden from clients of the API are available. A write runs in a transaction, which is rolled back if a rule refuses the write.
 *
 * The client has the model delegates and `$transaction`. It has no raw SQL, because rules cannot be enforced on SQL. The results of these members
 * have the types of the given client.
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

/** Returns a raw SQL method of the client if there are no rules. If there are only hooks, they do not observe raw SQL. */
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
        new ClientCall(binding, (own) => {
          const call = { resource, operation, args: argumentsOf(operation, args) };
          return own.telemetry?.isActive() === true ? traceCall(own.telemetry, call, (tally) => run(own, call, tally)) : run(own, call);
        });
    },
  });
}

type Args = Readonly<Record<string, unknown>>;

/**
 * Adds an empty `where` to bulk writes without one, as Prisma does. Clients of the API must give one, so that no client writes all records by
 * mistake.
 */
function argumentsOf({ name }: KnownRpcOperation, args: unknown): Args {
  const given = withPlainNulls(args) as Args;
  return name.startsWith('update') || name.startsWith('delete') ? { ...(name.includes('Many') && { where: {} }), ...given } : given;
}

/** Runs a call of the application's own code within its own span. */
async function traceCall(
  telemetry: Telemetry,
  { resource, operation }: RpcCall,
  work: (tally: RunTally | undefined) => Promise<unknown>,
): Promise<unknown> {
  const traced = { style: 'own-code', model: resource.model, action: operation.actions[0] };
  const trace = telemetry.begin(traced);
  try {
    return await trace.within(() => work(trace.tally));
  } catch (error) {
    trace.fail(toApiError(error), error);
    throw error;
  } finally {
    trace.end(traced);
  }
}

async function run(binding: CallersBinding, call: RpcCall, tally?: RunTally): Promise<unknown> {
  const { client, rules, model, requestContext, observer, onFailedWrite } = binding;
  const plan = planOf(call, model);
  const isWrite = isWriting(plan);
  const isRowByRow = isWrite && (rules.isVersioned || needsDecomposition(plan));
  const { wrap } = await rules.of({ plan, isWrite }, requestContext, { isRowByRow, ...(observer && { open: observer }) });
  try {
    if (tally) tally.engine = 'prisma';
    const result = await runPlan(wrap(prismaExecutor(client)), plan, { isWrite });
    return pickResult(plan.call.query, addRows(tally, plan, result));
  } catch (error) {
    if (isWrite) onFailedWrite?.(error);
    throw error;
  }
}

/** Plans a call. @throws TypeError for invalid arguments, because they are a mistake in the code of the application */
function planOf(call: RpcCall, { storage }: ResourceModel): CallPlan {
  try {
    return { kind: 'call', call: planRpcCall(call, UNLIMITED, storage) };
  } catch (cause) {
    if (cause instanceof ApiError) throw new TypeError(cause.message, { cause });
    throw cause;
  }
}

/** No limits, because limits apply to clients of the API only. */
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

/** Replaces `Prisma.DbNull`, `JsonNull` and `AnyNull` by null, which is written as the kind of null that the field can hold. */
function withPlainNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainNulls);
  if (isPlainObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withPlainNulls(one)]));
  return isPrismaNull(value) ? null : value;
}

type Work = (open: DataClient) => Promise<unknown>;

/** Returns `$transaction`, which takes an array of calls, or a function that receives the client of one transaction. */
function transactionOf(binding: CallersBinding): unknown {
  const begin = memberOf(binding.client, '$transaction');
  if (typeof begin !== 'function') return undefined;
  return async (work: Work | readonly unknown[], ...options: readonly object[]): Promise<unknown> => {
    const observer = binding.rules.begin(binding.requestContext);
    const whole: Work = (open) =>
      withinTransaction({ ...binding, client: open, ...(observer && { observer }) }, (own) =>
        typeof work === 'function' ? work(callersClient(own)) : inOrder(work, own),
      );
    const result: unknown = await Reflect.apply(begin, binding.client, [whole, ...options]);
    observer?.committed();
    return result;
  };
}

/**
 * Runs work with the client of an open transaction, under the rules of the caller.
 *
 * @throws the first error of a write or of the client, even if the work has caught it, so that the transaction is rolled back
 */
export async function withinTransaction<Result>(binding: CallersBinding, work: (own: CallersBinding) => Promise<Result>): Promise<Result> {
  const failures: unknown[] = [];
  const result = await undoneByFailures(withoutTransactions(binding.client), (client) =>
    work({ ...binding, client, onFailedWrite: (error) => failures.push(error) }),
  );
  if (failures.length > 0) throw failures[0];
  return result;
}

/**
 * Hides `$transaction` of the client of an open transaction, because nested transactions need savepoints, which not every driver adapter of Prisma
 * has.
 */
function withoutTransactions(open: DataClient): DataClient {
  return new Proxy(open, { get: (target, name): unknown => (name === '$transaction' ? undefined : Reflect.get(target, name)) });
}

async function inOrder(calls: readonly unknown[], binding: CallersBinding): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const call of calls) {
    if (!(call instanceof ClientCall)) throw new TypeError('$transaction takes calls of this client alone.');
    results.push(await call.beginIn(binding));
  }
  return results;
}

/** A lazy call, like Prisma's: it starts when it is first awaited, or when the `$transaction` that contains it runs it. */
export class ClientCall implements Promise<unknown> {
  readonly [Symbol.toStringTag] = 'PrismaPromise';
  readonly #binding: CallersBinding;
  readonly #start: (binding: CallersBinding) => Promise<unknown>;
  #begun: Promise<unknown> | undefined;

  constructor(binding: CallersBinding, start: (binding: CallersBinding) => Promise<unknown>) {
    this.#binding = binding;
    this.#start = start;
  }

  /** Starts the call with the client of a transaction. */
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
