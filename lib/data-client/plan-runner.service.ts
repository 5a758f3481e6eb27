import { Inject, Injectable, Logger } from '@nestjs/common';
import { isClientBroken } from '../errors/is-client-broken.js';
import { missingGrant } from '../errors/missing-grant.js';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import { delegateOf } from '../model/exposure/naming.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Storage } from '../model/storage/storage.js';
import type { ApiReply, ApiRequest } from '../platform/api-request.js';
import { keepBytes, type SizeLimit, sizeLimit } from '../platform/response-size.js';
import { LIMITS, RESOURCE_API_OPTIONS, RESOURCE_MODEL, ROW_RULES } from '../resource-api.constants.js';
import type { ResourceApiOptions } from '../resource-api.options.js';
import type { RowRules, RuledPlan } from '../rules/row-rules.js';
import { answerPlan, type SqlContext, type TimedReads } from '../sql/answer-plan.js';
import { sqlReadsOf } from '../sql/sql-reads.js';
import type { DataClient } from './data-client.js';
import { databaseRole } from './database-role.js';
import type { Plan, PlanResults, UniqueKey } from './plan.js';
import { isWriting, runPlan, type RunRules } from './run-plan.js';
import { StatementTimeouts } from './statement-timeout.js';
import { betweenTurns, turnAfter } from './turn-after.js';
import { within } from './within.js';

/** Databases whose transactions can set `statement_timeout`. */
const KEEPS_TIME: ReadonlySet<string> = new Set(['postgresql', 'cockroachdb']);

/** Runs plans on the client of their request, within their time limit, and tells the host if a client is broken. */
@Injectable()
export class PlanRunner {
  private readonly logger = new Logger('ResourceApi');
  private readonly timeouts: StatementTimeouts;
  private readonly maxDuration: number;
  private readonly transactionOptions: RunRules['options'];
  private readonly responseLimit: SizeLimit;
  private readonly readBackKeys: ReadonlyMap<string, UniqueKey>;

  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'onClientBroken'>,
    @Inject(LIMITS) { maxDuration, maxResponseSize }: Limits,
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    @Inject(ROW_RULES) private readonly rules: RowRules | null,
  ) {
    const { storage } = model;
    const isKept = Number.isFinite(maxDuration) && KEEPS_TIME.has(storage.provider) && storage.orm === 'prisma';
    this.timeouts = new StatementTimeouts(isKept ? maxDuration : undefined);
    this.maxDuration = maxDuration;
    this.transactionOptions = Number.isFinite(maxDuration) ? { maxWait: maxDuration, timeout: maxDuration } : undefined;
    this.responseLimit = sizeLimit(maxResponseSize);
    this.readBackKeys = readBackKeysOf(storage);
  }

  /**
   * Runs a plan and renders its results. The response to a write is rendered, and its size is checked, before the commit: if that fails,
   * nothing is written.
   *
   * @throws what `render` and {@link run} throw, and `limit-exceeded` for a write whose answer is larger than `limits.maxResponseSize`
   */
  async answer<P extends Plan>(plan: P, request: Asking, render: (results: PlanResults[P['kind']]) => ApiReply): Promise<ApiReply> {
    const rendered = (results: unknown): Promise<ApiReply> => betweenTurns(results as PlanResults[P['kind']], render);
    if (!isWriting(plan)) return rendered(await this.runOn(plan, request));
    const finish = async (results: unknown): Promise<ApiReply> => keepBytes(await rendered(results), this.responseLimit);
    return (await this.runOn(plan, request, finish)) as ApiReply;
  }

  /** @throws what {@link runPlan} throws, and `unavailable` where it takes longer than `limits.maxDuration` */
  async run<P extends Plan>(plan: P, request: Asking): Promise<PlanResults[P['kind']]> {
    const results = (await this.runOn(plan, request)) as PlanResults[P['kind']];
    await turnAfter(results);
    return results;
  }

  private async runOn(plan: Plan, request: Asking, finish?: RunRules['finish']): Promise<unknown> {
    const client = await request.client();
    const ruled = (await this.rules?.of(plan, request)) ?? unruled(plan);
    try {
      return await this.runInTime(client, plan, { request, ruled, ...(finish && { finish }) });
    } catch (error) {
      if (isClientBroken(error)) this.reportBroken(client, error);
      const lacking = missingGrant(error);
      if (lacking !== undefined) void this.reportGrant(client, lacking);
      throw error;
    }
  }

  private runInTime(given: DataClient, plan: Plan, { request, ruled, finish }: Attempt): Promise<unknown> {
    const { maxDuration } = this;
    let isCommitting = false;
    const onCommit = (): void => void (isCommitting = true);
    const explain = (late: Error): Error => (isCommitting ? new UnknownOutcomeError(late) : late);
    const isGone = (): boolean => request.isGone?.() === true;
    return within({ maxDuration, isGone, explain }, async (signal) => {
      const timed = (): TimedReads => this.timed(given, { signal, onCommit });
      const run = (): Promise<unknown> => {
        const { client, rules } = timed();
        return runPlan(ruled.asCaller(client), plan, finish ? { ...rules, finish } : rules);
      };
      const reads = ruled.reads && sqlReadsOf(given);
      return ruled.reads && reads ? this.readInSql(ruled.reads, { reads, timed, run }) : run();
    });
  }

  private timed(given: DataClient, rules: RunRules): TimedReads {
    const { client, prepare, wrapsReads } = this.timeouts.bind(given);
    const { transactionOptions: options, readBackKeys } = this;
    return { client, rules: { ...rules, wrapsReads, readBackKeys, ...(prepare && { prepare }), ...(options && { options }) } };
  }

  private async readInSql(plan: Plan, { reads, timed, run }: SqlAttempt): Promise<unknown> {
    const answered = await answerPlan(plan, { reads, storage: this.model.storage, timeout: this.timeouts.timeout, timed });
    return answered ? answered.result : run();
  }

  /** The response does not wait for it. */
  private async reportGrant(client: DataClient, lacking: string): Promise<void> {
    const role = await databaseRole(client);
    const grantee = role === undefined ? 'the role that the request runs as' : `the role "${role}"`;
    this.logger.warn(`A request was answered 403: ${lacking}. GRANT it to ${grantee}.`);
  }

  private reportBroken(client: DataClient, error: unknown): void {
    const text = 'The data client is broken: its engine has panicked, and goes on to fail requests. Replace it (onClientBroken).';
    this.logger.error(text, error instanceof Error ? error.stack : undefined);
    // The host's function may be async.
    Promise.resolve()
      .then(() => this.options.onClientBroken?.(client, error))
      .catch((thrown: unknown) => {
        this.logger.error('onClientBroken failed.', thrown instanceof Error ? thrown.stack : String(thrown));
      });
  }
}

type Asking = Pick<ApiRequest, 'client' | 'isGone' | 'request'>;

interface Attempt extends Pick<RunRules, 'finish'> {
  readonly request: Asking;
  readonly ruled: RuledPlan;
}

/** A plan that is read in SQL, or run if SQL declines it. */
interface SqlAttempt extends Pick<SqlContext, 'reads' | 'timed'> {
  readonly run: () => Promise<unknown>;
}

/** Used if the host has no rules. */
function unruled(plan: Plan): RuledPlan {
  return { reads: plan, asCaller: (client) => client };
}

/** ZenStack 3 takes `_count` in the `select` of a write for a field, and fails: "Field "_count" not found". */
function readBackKeysOf({ orm, byModel }: Storage): ReadonlyMap<string, UniqueKey> {
  if (orm !== 'zenstack') return new Map();
  return new Map(
    [...byModel.values()].flatMap(({ model, primaryKey, uniqueKeys: [uniqueKey] }) => {
      const key = primaryKey ?? uniqueKey;
      return key ? [[delegateOf(model), key] as const] : [];
    }),
  );
}
