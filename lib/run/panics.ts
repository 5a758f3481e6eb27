import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import { isBroken } from '../executor/is-broken.js';
import { panickedError } from '../errors/data-layer-error.js';
import { errorMessage } from '../errors/error-message.js';
import type { Storage } from '../model/storage/storage.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';

const PANICKED = 'A query made the engine of the data client panic. The client still executes other queries. Report the query to Prisma.';
const CLIENT_BROKEN = 'The data client is broken: its engine has panicked, and goes on to fail requests. Replace it (onClientBroken).';

interface PanicLog {
  error(text: string, details: string | undefined): void;
}

/** Reports panics of a data client. Distinguishes a broken client from a query that makes a sound client panic. */
export class Panics {
  constructor(
    private readonly executorOf: (client: DataClient) => Executor,
    private readonly storage: Storage,
    private readonly logger: PanicLog,
    private readonly onClientBroken: ResourceApiOptions['onClientBroken'],
  ) {}

  /**
   * Logs a panic, and notifies the application if the client is broken.
   *
   * @returns the error of the request: one for a panic in a single query, or the original error if the client is broken
   */
  async report(client: DataClient, error: unknown): Promise<unknown> {
    const isSound = !(await isBroken(this.executorOf(client), this.storage));
    this.logger.error(isSound ? PANICKED : CLIENT_BROKEN, errorMessage(error).details);
    if (isSound) return panickedError(error);
    this.notify(client, error);
    return error;
  }

  /** Calls `onClientBroken` of the application, which may be async. The response does not wait for it. */
  private notify(client: DataClient, error: unknown): void {
    Promise.resolve()
      .then(() => this.onClientBroken?.(client, error))
      .catch((thrown: unknown) => {
        const { summary, details = summary } = errorMessage(thrown);
        this.logger.error('onClientBroken failed.', details);
      });
  }
}
