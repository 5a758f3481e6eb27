import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import { BootClient } from '../platform/boot-client.service.js';
import { MountNames } from '../platform/mount-names.service.js';
import { ROW_RULES } from '../options/tokens.js';
import type { RowRules } from '../rules/row-rules.js';

/** Checks whether a data client supports row rules: at boot if a client is available without a request, otherwise for the client of each request. */
@Injectable()
export class RuledClientCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('ResourceApi');
  private readonly checked = new WeakSet<DataClient>();
  private readonly logged = new Set<string>();

  constructor(
    @Inject(ROW_RULES) private readonly rules: RowRules | null,
    private readonly client: BootClient,
    private readonly mounts: MountNames,
  ) {}

  /**
   * Checks the client that is available at boot, if any.
   *
   * @throws ConfigurationError for a client on which row rules cannot be enforced
   */
  async onApplicationBootstrap(): Promise<void> {
    const client = this.rules ? await this.client.atBoot() : undefined;
    if (client) this.requireRulable(client);
  }

  /**
   * Checks a client once, and logs each warning once.
   *
   * @throws ConfigurationError for a client on which row rules cannot be enforced
   */
  requireRulable(client: DataClient): void {
    if (!this.rules || this.checked.has(client)) return;
    const warning = this.rules.check(client);
    this.checked.add(client);
    // Clients that are created for each request have the same extensions, and so the same warning.
    if (warning === undefined || this.logged.has(warning)) return;
    this.logged.add(warning);
    this.logger.warn(`${this.mounts.all}: ${warning}`);
  }
}
