import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';
import { errorMessage } from '../errors/error-message.js';
import { withoutTransactions } from '../run/recorded-transaction.js';
import { BootClient } from '../platform/boot-client.service.js';
import { EXECUTOR_OF, IDEMPOTENCY_SETTINGS } from '../options/tokens.js';
import type { IdempotencySettings } from './compile-idempotency.js';
import { SWEPT_AT_ONCE } from './key-records.js';

const HOUR = 3_600_000;

/**
 * The stored responses of the option `idempotency`. Expired ones are removed each hour, if there is a data client without a request: `bootClient`, or
 * a `getClient` without parameters. Otherwise the application has to call {@link sweep}.
 *
 * @example
 * constructor(private readonly keys: IdempotencyKeys) {}
 *
 * sweep(): Promise<number> {
 *   return this.keys.sweep(prisma);
 * }
 */
@Injectable()
export class IdempotencyKeys implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('ResourceApi');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(IDEMPOTENCY_SETTINGS) private readonly idempotency: IdempotencySettings | null,
    @Inject(EXECUTOR_OF) private readonly executorOf: (client: DataClient) => Executor,
    private readonly client: BootClient,
  ) {}

  /** @throws ConfigurationError for a client without transactions */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.idempotency) return;
    const client = await this.client.atBoot();
    if (!client) return;
    if (typeof memberOf(client, '$transaction') !== 'function') throw withoutTransactions();
    // The timer does not keep the process alive.
    this.timer = setInterval(() => void this.sweepQuietly(client), HOUR).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * Removes the expired responses, a thousand at a time.
   *
   * @param client a client that may read and delete all of them, e.g. that of the database's owner under row-level security
   * @returns the number of removed responses
   * @throws ConfigurationError if the option `idempotency` is not given; any error of the data layer
   */
  async sweep(client: DataClient, now = new Date()): Promise<number> {
    const { idempotency } = this;
    if (!idempotency) throw new ConfigurationError('There are no idempotency keys to sweep.', "Give the option 'idempotency'.");
    const executor = this.executorOf(client);
    for (let removed = 0; ;) {
      const batch = await idempotency.records.sweep(executor, now);
      removed += batch;
      if (batch < SWEPT_AT_ONCE) return removed;
    }
  }

  private async sweepQuietly(client: DataClient): Promise<void> {
    try {
      await this.sweep(client);
    } catch (error) {
      this.logger.warn(`Expired idempotency keys could not be removed: ${errorMessage(error).summary}`);
    }
  }
}
