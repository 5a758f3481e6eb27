import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import { BootClient } from '../platform/boot-client.service.js';
import { MountNames } from '../platform/mount-names.service.js';
import { RESOURCE_API_OPTIONS, ROW_RULES } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import type { RowRules } from '../rules/row-rules.js';

/** Tells what of a data client does not go with row rules: at boot, where there is a client before any request, else of each client of a request. */
@Injectable()
export class RuledClientCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('ResourceApi');
  private readonly known = new WeakSet<DataClient>();
  private readonly told = new Set<string>();

  constructor(
    @Inject(ROW_RULES) private readonly rules: RowRules | null,
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'bootClient'>,
    private readonly client: BootClient,
    private readonly mounts: MountNames,
  ) {}

  /** @throws ConfigurationError for a client that rules cannot be kept on */
  async onApplicationBootstrap(): Promise<void> {
    const client = this.rules ? (this.options.bootClient ?? (await this.client.withoutRequest())) : undefined;
    if (client) this.requireRulable(client);
  }

  /** @throws ConfigurationError */
  requireRulable(client: DataClient): void {
    if (!this.rules || this.known.has(client)) return;
    const warning = this.rules.check(client);
    this.known.add(client);
    // A client for each request has the same extensions.
    if (warning === undefined || this.told.has(warning)) return;
    this.told.add(warning);
    this.logger.warn(`${this.mounts.all}: ${warning}`);
  }
}
