import type { Plan } from '../data-client/plan.js';
import { isWriting } from '../data-client/run-plan.js';
import type { Storage } from '../model/storage/storage.js';
import { type SizeLimit, tooLarge } from '../platform/response-size.js';
import { type Answered, answerPlan, type SqlContext, tellAll } from '../sql/answer-plan.js';
import { answerWrite, type WriteContext } from '../sql/answer-write.js';

/** A plan that is answered in SQL, or run where SQL declines it. */
export interface SqlAttempt extends Pick<SqlContext, 'reads' | 'timed' | 'waiting' | 'isShared'> {
  readonly run: () => Promise<unknown>;
  /** Or why a write is to go through Prisma, whatever it writes. */
  readonly writing: Writing | string;
}

type Writing = Pick<WriteContext, 'finish' | 'isBound' | 'isRuled' | 'asCaller' | 'onSend' | 'onUndone'>;

/** Answers plans by one SQL statement each, where their client has it. */
export class SqlAnswers {
  constructor(
    private readonly storage: Storage,
    private readonly limit: SizeLimit,
    private readonly limits: Pick<SqlContext, 'timeout' | 'onUntimed'>,
  ) {}

  async answer(plan: Plan, { run, reads, timed, waiting, isShared, writing }: SqlAttempt): Promise<unknown> {
    const { storage, limits } = this;
    const size = { bytes: this.limit.bytes, tooLarge: () => tooLarge(this.limit) };
    const context = { reads, timed, waiting, isShared, storage, size, ...limits };
    const answered = await (isWriting(plan) ? this.write(plan, context, writing) : answerPlan(plan, context));
    return answered ? answered.results : run();
  }

  private write(
    plan: Plan,
    context: Omit<WriteContext, keyof Writing>,
    writing: SqlAttempt['writing'],
  ): Promise<Answered | undefined> | undefined {
    if (!context.reads.setup.writes) return undefined;
    if (typeof writing === 'string') {
      tellAll(plan, writing, context);
      return undefined;
    }
    // Node 20 makes an object of two others ten times as slowly.
    const { finish, isBound, isRuled, asCaller, onSend, onUndone } = writing;
    return answerWrite(plan, { finish, isBound, isRuled, asCaller, onSend, onUndone, ...context });
  }
}
