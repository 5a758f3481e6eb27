import { Inject, Injectable, Logger } from '@nestjs/common';
import { isBound } from '../data-client/bound-client.js';
import { clientInTime } from '../data-client/client-in-time.js';
import type { DataClient } from '../data-client/data-client.js';
import { databaseRole } from '../data-client/database-role.js';
import { prismaExecutor } from '../data-client/prisma-executor.js';
import { executorInTime } from '../data-client/executor-in-time.js';
import { findingTogether } from '../data-client/finds-together.js';
import { isQuick } from '../data-client/is-quick.js';
import type { CallPlan, CollectionResult, Plan, ResultsOf } from '../data-client/plan.js';
import { isWriting, runPlan, type RunRules } from '../data-client/run-plan.js';
import { StatementTimeouts } from '../data-client/statement-timeout.js';
import { isOpenTransaction, transactionsOf } from '../data-client/transactions.js';
import { betweenTurns, turnAfter } from '../data-client/turn-after.js';
import { type Waiting, within } from '../data-client/within.js';
import { isClientBroken } from '../errors/is-client-broken.js';
import { isWriteConflict } from '../errors/is-write-conflict.js';
import { missingGrant } from '../errors/missing-grant.js';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiReply, ApiRequest, Asking } from '../platform/api-request.js';
import type { Query } from '../query/query.js';
import type { ResultOf } from '../query/result.js';
import { keepBytes, type SizeLimit, sizeLimit } from '../platform/response-size.js';
import { EXECUTOR_OF, LIMITS, RESOURCE_API_OPTIONS, RESOURCE_MODEL, ROW_RULES, SERVER_VALUES } from '../resource-api.constants.js';
import type { ResourceApiOptions } from '../resource-api.options.js';
import type { ToldWrites } from '../rules/row-hooks.js';
import { type RowRules, type RuledPlan, unruled } from '../rules/row-rules.js';
import type { ServerValues } from '../server-values/compile-server-values.js';
import { withServerValues } from '../server-values/with-server-values.js';
import { sqlReadsFor, type TimedReads } from '../sql/answer-plan.js';
import { PlanCompiler } from '../sql/plan-compiler.js';
import { sqlReadsOf } from '../sql/sql-reads.js';
import { schemaOf } from '../sql/with-sql-reads.js';
import { LruMap } from '../utils/lru-map.js';
import { asBound } from './as-bound.js';
import { estimateTotal } from './estimate-total.js';
import { preparePlan } from './prepare-plan.js';
import { RecordedTransaction, withoutAnswer, withoutRecord } from './recorded-transaction.js';
import { Panics } from './panics.js';
import { RuledClientCheck } from './ruled-client-check.service.js';
import { SqlAnswers, type SqlAttempt } from './sql-answers.js';
import { untimedText } from './untimed-text.js';

/** Schemas whose compilers are kept, where an application has a client for each tenant. */
const MOST_SCHEMAS = 16;

/** Databases whose transactions can set `statement_timeout`. */
const KEEPS_TIME: ReadonlySet<string> = new Set(['postgresql', 'cockroachdb']);

/** Runs plans on the client of their request, within their time limit, and tells the host if a client is broken. */
@Injectable()
export class PlanRunner {
  private readonly logger = new Logger('ResourceApi');
  private readonly timeouts: StatementTimeouts;
  private readonly maxDuration: number;
  private readonly maxTake: number;
  private readonly transactionOptions: RunRules['options'];
  private readonly responseLimit: SizeLimit;
  /** ZenStack 3 takes `_count` in the `select` of a write for a field, and fails: "Field "_count" not found". */
  private readonly readsCountsApart: boolean;
  private readonly inSql: SqlAnswers;
  private readonly panics: Panics;
  private isUntimedTold = false;
  private readonly compilers = new LruMap<string, PlanCompiler>(MOST_SCHEMAS);

  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'onClientBroken' | 'shareReads'>,
    @Inject(LIMITS) { maxDuration, maxResponseSize, maxTake }: Limits,
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    @Inject(ROW_RULES) private readonly rules: RowRules | null,
    @Inject(SERVER_VALUES) private readonly serverValues: ServerValues | null,
    @Inject(EXECUTOR_OF) private readonly executorOf: typeof prismaExecutor,
    private readonly ruledClients: RuledClientCheck,
  ) {
    const { storage } = model;
    this.panics = new Panics((client) => executorOf(client), storage, this.logger, options.onClientBroken);
    const isKept = Number.isFinite(maxDuration) && KEEPS_TIME.has(storage.provider) && storage.orm === 'prisma';
    this.timeouts = new StatementTimeouts(isKept ? maxDuration : undefined, () => {
      this.tellUntimed('client');
    });
    this.maxDuration = maxDuration;
    this.maxTake = maxTake;
    this.transactionOptions = Number.isFinite(maxDuration) ? { maxWait: maxDuration } : undefined;
    this.responseLimit = sizeLimit(maxResponseSize);
    this.readsCountsApart = storage.orm === 'zenstack';
    const onUntimed = (): void => {
      this.tellUntimed('pool');
    };
    this.inSql = new SqlAnswers(storage, this.responseLimit, { timeout: this.timeouts.timeout, onUntimed });
  }

  /**
   * Runs a plan and renders its results. The response to a write is rendered, and its size is checked, before the commit: if that fails,
   * nothing is written.
   *
   * @throws what `render` and {@link run} throw, and `limit-exceeded` for a write whose answer is larger than `limits.maxResponseSize`
   */
  async answer<P extends Plan>(
    plan: P,
    request: Asking,
    render: (results: ResultsOf<P>) => ApiReply,
    rules: AnswerRules = {},
  ): Promise<ApiReply> {
    const rendered = (results: unknown): Promise<ApiReply> => betweenTurns(results as ResultsOf<P>, render);
    if (!isWriting(plan)) return rendered(await this.runOn(plan, request));
    const finish = async (results: unknown): Promise<ApiReply> => keepBytes(await rendered(results), this.responseLimit);
    return (await this.runOn(plan, request, { finish, ...rules })) as ApiReply;
  }

  /** @throws what {@link runPlan} throws, and `unavailable` where it takes longer than `limits.maxDuration` */
  async run<P extends Plan>(plan: P, request: Asking): Promise<ResultsOf<P>> {
    const results = (await this.runOn(plan, request)) as ResultsOf<P>;
    await turnAfter(results);
    return results;
  }

  /** Asks a query of the package's own, which rules and the rest of what plans are run by say nothing of. */
  async ask<Asked extends Query>(query: Asked, request: Asking): Promise<ResultOf<Asked>> {
    const client = await request.client();
    const plan: CallPlan<Asked> = { kind: 'call', call: { query } };
    return this.inTime(client, { request }, (timing) => {
      const { executor, rules } = this.timed(client, unruled(plan), timing);
      return runPlan(executor, plan, rules);
    });
  }

  private async runOn(given: Plan, request: Asking, rules: AnswerRules & { readonly finish?: Finish } = {}): Promise<unknown> {
    const client = await request.client();
    this.ruledClients.requireRulable(client);
    const { serverValues: values } = this;
    const { storage } = this.model;
    const filled = values && isWriting(given) ? await withServerValues(given, values, storage, request.request) : given;
    const { plan, ruled: forCaller } = await preparePlan(filled, { rules: this.rules, request, storage, maxRows: this.maxTake });
    const ruled = asBound(client, forCaller, { storage, plan });
    try {
      return await againOnConflict(client, rules, () => this.runInTime(client, plan, { request, ruled, ...rules }));
    } catch (thrown) {
      const error = isClientBroken(thrown) ? await this.panics.report(client, thrown) : thrown;
      const lacking = missingGrant(error);
      if (lacking !== undefined) void this.reportGrant(client, lacking);
      throw request.record ? withoutAnswer(error) : error;
    }
  }

  /**
   * Does work of the host in one transaction on the client of its request, within the time limit. The response is there, and its size is checked,
   * before the commit.
   *
   * @throws what the work and {@link run} throw
   */
  async transact(request: Asking, work: (open: DataClient, told?: ToldWrites) => Promise<ApiReply>): Promise<ApiReply> {
    const given = await request.client();
    this.ruledClients.requireRulable(given);
    const told = this.rules?.begin(request);
    const reply = await this.inTime(given, { request }, (timing) => {
      const { rules } = this.timed(given, unruled(undefined), timing);
      let open = clientInTime(this.timeouts.bind(given).client, timing.signal);
      const executor = prismaExecutor(open, { onOpen: (client) => void (open = client) });
      const answer = async (): Promise<ApiReply> => keepBytes(await work(open, told), this.responseLimit);
      if (!request.record) return transactionsOf(executor, { ...rules, writes: true })(answer);
      const recorded = new RecordedTransaction(request.record, executor);
      return transactionsOf(recorded.executor, { ...recorded.rules(rules), writes: true })(async () => recorded.end(await answer()));
    }).catch(withoutRecord);
    told?.committed();
    return reply;
  }

  private runInTime(given: DataClient, plan: Plan, { request, ruled, finish, maxDuration }: Attempt): Promise<unknown> {
    return this.inTime(given, { request, ...(maxDuration !== undefined && { maxDuration }) }, async (timing) => {
      const isShared = this.options.shareReads === true && ruled.reads === plan && !isBound(given);
      const own = { ...timing, isShared };
      const timed = (): TimedReads => this.timed(given, ruled, finish ? { finish, record: request.record, ...own } : own);
      const run = (one = plan): Promise<unknown> => {
        const { executor, rules } = timed();
        return runPlan(executor, one, rules);
      };
      const asked = isWriting(plan) ? plan : ruled.reads;
      const reads = asked && sqlReadsFor(given, asked);
      const writing = (): SqlAttempt['writing'] => {
        // Hooks and records of keys are told of what Prisma is asked.
        if (ruled.writes === 'told') return 'a write with hooks';
        if (!finish || request.record) return 'a write with an Idempotency-Key';
        return {
          finish,
          isBound: isBound(given),
          isRuled: ruled.writes === 'ruled',
          asCaller: ruled.asCaller,
          onSend: timing.onCommit,
          onUndone: timing.onUndone,
        };
      };
      const result = await (asked && reads
        ? this.inSql.answer(asked, { reads, timed, run, waiting: timing.signal, isShared, writing: writing() })
        : run());
      if (plan.kind !== 'collection' || plan.exactUpTo === undefined) return result;
      const compiler = (): PlanCompiler => this.compilerFor(given);
      return estimateTotal(result as CollectionResult, plan, { client: given, ruled: ruled.reads, compiler, timed, run });
    });
  }

  private compilerFor(client: DataClient): PlanCompiler {
    const { storage } = this.model;
    const own = sqlReadsOf(client)?.compilerOf(storage);
    if (own) return own;
    const schema = schemaOf(client);
    const compiler = this.compilers.get(schema) ?? new PlanCompiler(storage, schema);
    this.compilers.set(schema, compiler);
    return compiler;
  }

  private inTime<Result>(
    given: DataClient,
    { request, maxDuration = this.maxDuration }: Pick<Attempt, 'request' | 'maxDuration'>,
    run: (timing: Timing) => Promise<Result>,
  ): Promise<Result> {
    let isCommitting = false;
    const onCommit = (): void => void (isCommitting = true);
    const onUndone = (): void => void (isCommitting = false);
    const explain = (late: Error): Error => (isCommitting ? new UnknownOutcomeError(late) : late);
    const isGone = (): boolean => request.isGone?.() === true;
    return within({ maxDuration, isGone, explain, isAwaited: isOpenTransaction(given) }, (signal) => run({ signal, onCommit, onUndone }));
  }

  private timed(given: DataClient, { reads, asCaller }: RuledPlan, { record, finish, isShared = false, ...timing }: Timed): TimedReads {
    const { client, prepare, ...timeouts } = this.timeouts.bind(given);
    const { transactionOptions: options, readsCountsApart } = this;
    const wrapsReads = timeouts.wrapsReads && !(reads && isQuick(reads));
    const executor = executorInTime(this.executorOf(client, { batchesFinds: isShared }), timing.signal);
    const host = isShared ? findingTogether(executor, client) : executor;
    const own: RunRules = { wrapsReads, readsCountsApart, ...timing, ...(prepare && { prepare }), ...(options && { options }) };
    const rules = finish ? { finish, ...own } : own;
    if (!record || !finish) return { executor: asCaller(host), rules };
    const recorded = new RecordedTransaction(record, host);
    return {
      executor: asCaller(recorded.executor),
      rules: recorded.rules({ ...rules, finish: async (results) => recorded.end(await finish(results)) }),
    };
  }

  /** Once: it is known when the first request meets the database, which need not be there at boot. */
  private tellUntimed(connections: 'client' | 'pool'): void {
    if (this.isUntimedTold) return;
    this.isUntimedTold = true;
    this.logger.log(untimedText(connections, this.maxDuration));
  }

  /** The response does not wait for it. */
  private async reportGrant(client: DataClient, lacking: string): Promise<void> {
    const role = await databaseRole(client);
    const grantee = role === undefined ? 'the role that the request runs as' : `the role "${role}"`;
    this.logger.warn(`A request was answered 403: ${lacking}. GRANT it to ${grantee}.`);
  }
}

/** What a plan is run by in addition to what all are. */
export interface AnswerRules {
  /** Milliseconds that it may take. @default `limits.maxDuration` */
  readonly maxDuration?: number;
  /** How often it is run again as a whole where it met another transaction at the same time (AO-33). @default 0 */
  readonly retries?: number;
}

/** A transaction of the host's is for the host to run again. */
async function againOnConflict(client: DataClient, { retries = 0 }: AnswerRules, run: () => Promise<unknown>): Promise<unknown> {
  for (let left = isOpenTransaction(client) ? 0 : retries; left > 0; left--) {
    try {
      return await run();
    } catch (error) {
      if (!isWriteConflict(error)) throw error;
    }
  }
  return run();
}

/** Of one request: whether it is still waited for, and who is told that it is committed. */
interface Timing {
  readonly signal: Waiting;
  readonly onCommit: () => void;
  /** Or that it is not, after all. */
  readonly onUndone: () => void;
}

interface Timed extends Timing {
  readonly finish?: Finish;
  readonly record?: ApiRequest['record'];
  /** @default false */
  readonly isShared?: boolean;
}

/** Renders the answer to a write. */
type Finish = (results: unknown) => Promise<ApiReply>;

interface Attempt extends Pick<AnswerRules, 'maxDuration'> {
  readonly finish?: Finish;
  readonly request: Asking;
  readonly ruled: RuledPlan;
}
