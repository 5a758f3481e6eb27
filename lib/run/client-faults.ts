import type { DataClient } from '../executor/data-client.js';
import { databaseRole } from '../executor/client/bound-client.js';
import type { Executor } from '../executor/executor.js';
import { isBroken } from '../executor/client/is-broken.js';
import { panickedError } from '../errors/data-layer-error.js';
import { missingGrant } from '../errors/database-messages.js';
import { errorMessage } from '../errors/error-message.js';
import { isClientBroken } from '../errors/is-client-broken.js';
import type { Storage } from '../model/storage/storage.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import { inBackground } from '../utils/in-background.js';

const PANICKED = 'A query made the engine of the data client panic. The client still executes other queries. Report the query to Prisma.';
const CLIENT_BROKEN = 'The data client is broken: its engine has panicked, and goes on to fail requests. Replace it (onClientBroken).';

interface FaultLog {
  warn(text: string): void;
  error(text: string, details: string | undefined): void;
}

/** Reports faults of a data client that only the application can mend: a broken engine, and a missing privilege of its role. */
export class ClientFaults {
  constructor(
    private readonly executorOf: (client: DataClient) => Executor,
    private readonly storage: Storage,
    private readonly logger: FaultLog,
    private readonly onClientBroken: ResourceApiOptions['onClientBroken'],
  ) {}

  /**
   * Logs a panic and a missing privilege, and notifies the application if the client is broken.
   *
   * @returns the error of the request: one for a panic in a single query, otherwise the error itself
   */
  report(client: DataClient, error: unknown): Promise<unknown> {
    const lacking = missingGrant(error);
    if (lacking !== undefined) inBackground(this.reportGrant(client, lacking));
    return isClientBroken(error) ? this.reportPanic(client, error) : Promise.resolve(error);
  }

  /** Distinguishes a broken client from a query that makes a sound client panic. */
  private async reportPanic(client: DataClient, error: unknown): Promise<unknown> {
    const isSound = !(await isBroken(this.executorOf(client), this.storage));
    if (!isSound) this.notify(client, error);
    this.logger.error(isSound ? PANICKED : CLIENT_BROKEN, errorMessage(error).details);
    return isSound ? panickedError(error) : error;
  }

  /** Logs which privilege is missing, and which role lacks it. The response does not wait for this. */
  private async reportGrant(client: DataClient, lacking: string): Promise<void> {
    const role = await databaseRole(client);
    const grantee = role === undefined ? 'the role that the request runs as' : `the role "${role}"`;
    this.logger.warn(`A request was answered 403: ${lacking}. GRANT it to ${grantee}.`);
  }

  /** Calls `onClientBroken` of the application, which may be async. The response does not wait for it. */
  private notify(client: DataClient, error: unknown): void {
    const notified = Promise.resolve().then(() => this.onClientBroken?.(client, error));
    inBackground(
      notified.catch((thrown: unknown) => {
        const { summary, details = summary } = errorMessage(thrown);
        this.logger.error('onClientBroken failed.', details);
      }),
    );
  }
}
