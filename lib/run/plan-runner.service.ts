import { Inject, Injectable, Logger } from '@nestjs/common';
import { isBound } from '../executor/client/bound-client.js';
import { clientWithDeadline, Deadline, withDeadline } from '../executor/deadline.js';
import type { DataClient } from '../executor/data-client.js';
import { type CallPlan, type CollectionResult, isWriting, type Plan, type ResultsOf, withoutRules } from '../executor/plan.js';
import { prismaExecutor } from '../executor/prisma-executor.js';
import type { ResponseLimit, Run } from '../executor/run.js';
import { addRows } from '../executor/run-tally.js';
import { statementTimeoutNotice, StatementTimeouts, type UntimedConnections } from '../executor/client/statement-timeout.js';
import { isOpenTransaction, transact } from '../executor/transactions.js';
import { tickAfter, yieldToEventLoop } from '../executor/yield-to-event-loop.js';
import { isWriteConflict } from '../errors/is-write-conflict.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiReply, DataLayerRequest } from '../http/api-request.js';
import { cacheBytes, type SizeLimit, sizeLimit, tooLarge } from '../http/response-size.js';
import { isWrite, type Query } from '../query/query.js';
import type { ResultOf } from '../query/result.js';
import { EXECUTOR_OF, LIMITS, RESOURCE_API_OPTIONS, RESOURCE_MODEL, ROW_RULES, SERVER_VALUES } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import type { WriteObserver } from '../rules/write-observer.js';
import type { RowRules } from '../rules/row-rules.js';
import type { ServerValues } from './stages/server-values/compile-server-values.js';
import { PlanCompiler } from '../sql/plan-compiler.js';
import { sqlOf } from '../sql/client-sql.js';
import { defaultSchemaOf } from '../sql/with-sql.js';
import { SecondChanceCache } from '../utils/second-chance-cache.js';
import { estimateTotal } from './estimate-total.js';
import { executeByPrisma, executeRun } from './execute-run.js';
import { PrismaRuns } from './prisma-runs.js';
import { RecordedTransaction, keyedWriteError, throwActionError } from './recorded-transaction.js';
import { ClientFaults } from './client-faults.js';
import { RuledClientCheck } from './ruled-client-check.service.js';
import { SessionSettingsCheck } from './session-settings-check.service.js';
import { prepareRun, type StageOptions } from './stages/prepare-run.js';

/** Maximum number of cached compilers, one for each schema. An application may have a client for each tenant. */
const MOST_SCHEMAS = 16;

/** Databases whose transactions can set `statement_timeout`. */
const HAS_STATEMENT_TIMEOUT: ReadonlySet<string> = new Set(['postgresql', 'cockroachdb']);

/** Runs plans on the client of their request, within their deadline, and reports broken clients to the application. */
@Injectable()
export class PlanRunner {
  readonly #logger = new Logger('ResourceApi');
  readonly #timeouts: StatementTimeouts;
  readonly #maxDuration: number;
  readonly #prismaRuns: PrismaRuns;
  readonly #responseLimit: SizeLimit;
  readonly #size: ResponseLimit;
  readonly #onUntimedPool = (): void => {
    this.#logUntimed('pool');
  };
  readonly #stages: StageOptions;
  readonly #faults: ClientFaults;
  readonly #compilers = new SecondChanceCache<string, PlanCompiler>(MOST_SCHEMAS);
  readonly #loggedUntimed = new Set<UntimedConnections>();

  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'onClientBroken' | 'shareReads'>,
    @Inject(LIMITS) { maxDuration, maxResponseSize, maxTake }: Limits,
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    @Inject(ROW_RULES) private readonly rules: RowRules | null,
    @Inject(SERVER_VALUES) serverValues: ServerValues | null,
    @Inject(EXECUTOR_OF) executorOf: typeof prismaExecutor,
    private readonly ruledClients: RuledClientCheck,
    private readonly sessionSettings: SessionSettingsCheck,
  ) {
    const { storage } = model;
    this.#faults = new ClientFaults((client) => executorOf(client), storage, this.#logger, options.onClientBroken);
    const isTimed = Number.isFinite(maxDuration) && HAS_STATEMENT_TIMEOUT.has(storage.provider) && storage.orm === 'prisma';
    this.#timeouts = new StatementTimeouts(isTimed ? maxDuration : undefined, () => {
      this.#logUntimed('client');
    });
    this.#maxDuration = maxDuration;
    this.#prismaRuns = new PrismaRuns(executorOf, this.#timeouts, storage, maxDuration);
    const limit = sizeLimit(maxResponseSize);
    this.#responseLimit = limit;
    this.#size = { bytes: limit.bytes, tooLarge: () => tooLarge(limit) };
    this.#stages = { rules, serverValues, maxRows: maxTake };
  }

  /**
   * Runs a plan and renders its results. The response to a write is rendered, and its size is checked, before the commit: if that fails, nothing is
   * written.
   *
   * @throws what `render` and {@link run} throw, and `limit-exceeded` for a write whose response is larger than `limits.maxResponseSize`
   */
  async respond<P extends Plan>(
    plan: P,
    request: DataLayerRequest,
    render: (results: ResultsOf<P>) => ApiReply,
    options: ResponseOptions = {},
  ): Promise<ApiReply> {
    const isWrite = isWriting(plan);
    const replyTo = (results: unknown): Promise<ApiReply> => yieldToEventLoop(addRows(request.tally, plan, results), render);
    const renderReply = isWrite ? async (results: unknown) => cacheBytes(await replyTo(results), this.#responseLimit) : undefined;
    const run = this.#begin(plan, request, { client: await request.client(), isWrite, renderReply });
    const results = await this.#execute(run, request, isWrite ? options : {});
    return isWrite ? (results as ApiReply) : replyTo(results);
  }

  /** @throws what {@link executeRun} throws, and `unavailable` when the run takes longer than `limits.maxDuration` */
  async run<P extends Plan>(plan: P, request: DataLayerRequest): Promise<ResultsOf<P>> {
    const run = this.#begin(plan, request, { client: await request.client(), isWrite: isWriting(plan), renderReply: undefined });
    const results = addRows(request.tally, plan, await this.#execute(run, request));
    await tickAfter(results);
    return results;
  }

  /** Runs one query of the package itself, without row rules and the other stages. */
  async runQuery<Q extends Query>(query: Q, request: DataLayerRequest): Promise<ResultOf<Q>> {
    const plan: CallPlan<Q> = { kind: 'call', call: { query } };
    const run = this.#begin(plan, request, { client: await request.client(), isWrite: isWrite(query), renderReply: undefined });
    return this.#withDeadline(run.client, request, (deadline) => {
      return executeByPrisma({ ...run, deadline }, plan) as Promise<ResultOf<Q>>;
    }).catch((error: unknown) => this.#reportAndThrow(run.client, error));
  }

  /**
   * Runs a function of the application in one transaction on the client of its request, within the deadline. The response is rendered, and its size
   * is checked, before the commit.
   *
   * @throws what the work and {@link run} throw
   */
  async transact(request: DataLayerRequest, work: (open: DataClient, observer?: WriteObserver) => Promise<ApiReply>): Promise<ApiReply> {
    const client = await request.client();
    this.#check(client);
    const observer = this.rules?.begin(request);
    if (request.tally) request.tally.engine = 'prisma';
    const reply = await this.#withDeadline(client, request, async (deadline) => {
      const timed = this.#timeouts.bind(client);
      const options = this.#prismaRuns.optionsOfWork(timed, deadline);
      let open = clientWithDeadline(timed.client, deadline);
      const executor = prismaExecutor(open, { onOpen: (opened) => void (open = opened) });
      const answer = async (): Promise<ApiReply> => cacheBytes(await work(open, observer), this.#responseLimit);
      const recorded = request.record && new RecordedTransaction(request.record);
      return recorded ? transact(recorded.wrap(executor), answer, recorded.options(options)) : transact(executor, answer, options);
    })
      .catch((error: unknown) => this.#reportAndThrow(client, error))
      .catch(throwActionError);
    observer?.committed();
    return reply;
  }

  /** Reports faults of the data client, and throws the same error, because the failed query is one of the package or of an action. */
  async #reportAndThrow(client: DataClient, error: unknown): Promise<never> {
    await this.#report(client, error);
    throw error;
  }

  /** Reports faults of the data client and of a pooler. Returns the error of the request. */
  #report(client: DataClient, error: unknown): Promise<unknown> {
    this.sessionSettings.reportRefusal(error);
    return this.#faults.report(client, error);
  }

  /** Checks a client before its first run. Warnings about its sessions are logged later. */
  #check(client: DataClient): void {
    this.ruledClients.requireRulable(client);
    this.sessionSettings.checkOnce(client);
  }

  /** Creates the run of a plan. Its deadline is set when the run is attempted. */
  #begin(plan: Plan, { record, tally }: DataLayerRequest, { client, isWrite, renderReply }: BegunRun): Run {
    return {
      plan,
      isWrite,
      storage: this.model.storage,
      client,
      isBound: isBound(client),
      enforcement: withoutRules(plan),
      deadline: NO_DEADLINE,
      timeout: this.#timeouts.timeout,
      onUntimed: this.#onUntimedPool,
      size: this.#size,
      sharesReads: false,
      renderReply,
      recorded: isWrite && record ? new RecordedTransaction(record) : undefined,
      tally,
      createPrismaRun: this.#prismaRuns.create,
    };
  }

  async #execute(given: Run, request: DataLayerRequest, { retries = 0, maxDuration }: ResponseOptions = {}): Promise<unknown> {
    const { client } = given;
    this.#check(client);
    const run = await prepareRun(given, request, this.#stages);
    // Only the application itself can retry its transaction.
    for (let left = isOpenTransaction(client) ? 0 : retries; ; left--) {
      try {
        return await this.#withDeadline(client, request, (deadline) => this.#attempt(run, deadline), maxDuration);
      } catch (thrown) {
        if (left > 0 && isWriteConflict(thrown)) continue;
        const error = await this.#report(client, thrown);
        throw request.record ? keyedWriteError(error) : error;
      }
    }
  }

  async #attempt(prepared: Run, deadline: Deadline): Promise<unknown> {
    const { plan, enforcement, client, isBound } = prepared;
    const sharesReads = this.options.shareReads === true && enforcement.sqlPlan === plan && !isBound;
    const run: Run = { ...prepared, deadline, sharesReads };
    const results = await executeRun(run);
    if (plan.kind !== 'collection' || plan.exactUpTo === undefined) return results;
    return estimateTotal(results as CollectionResult, plan, run, () => this.#compilerFor(client));
  }

  #compilerFor(client: DataClient): PlanCompiler {
    const { storage } = this.model;
    const own = sqlOf(client)?.compilerOf(storage);
    if (own) return own;
    const schema = defaultSchemaOf(client);
    const compiler = this.#compilers.get(schema) ?? new PlanCompiler(storage, schema);
    this.#compilers.set(schema, compiler);
    return compiler;
  }

  #withDeadline<Result>(
    client: DataClient,
    request: DataLayerRequest,
    work: (deadline: Deadline) => Promise<Result>,
    maxDuration = this.#maxDuration,
  ): Promise<Result> {
    return withDeadline({ maxDuration, request, isAwaited: isOpenTransaction(client) }, work);
  }

  /** Logs once that the client, or the pool, has no `statement_timeout`. Requests find it out, because the database may be unreachable at boot. */
  #logUntimed(connections: UntimedConnections): void {
    if (this.#loggedUntimed.has(connections)) return;
    this.#loggedUntimed.add(connections);
    this.#logger.log(statementTimeoutNotice(connections, this.#maxDuration));
  }
}

/** Options of {@link PlanRunner.respond}. */
export interface ResponseOptions {
  /** Time limit in milliseconds. @default `limits.maxDuration` */
  readonly maxDuration?: number | undefined;
  /** Maximum number of retries of the whole run after conflicts with other transactions (AO-33). @default 0 */
  readonly retries?: number;
}

/** What the runner determines before it creates a run. */
type BegunRun = Pick<Run, 'client' | 'isWrite' | 'renderReply'>;

const NO_DEADLINE = new Deadline();
