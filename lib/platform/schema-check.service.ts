import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { compareDataModels } from '../model/schema/compare-data-models.js';
import { type PrismaDataModel, prismaDataModelOf, prismaSchemaTextOf } from '../model/schema/prisma-data-model.js';
import { RESOURCE_API_OPTIONS } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import { BootClient } from './boot-client.service.js';
import { MountNames } from './mount-names.service.js';

/**
 * Detects a stale or foreign schema: compares the option `schema` with the data model of the Prisma client.
 *
 * At boot, the client is the option `bootClient`, or that of a `getClient` without parameters. If there is neither, the client of the first
 * request is compared, once for each generated client. A client without a data model (ZenStack's, a fake) is not checked.
 */
@Injectable()
export class SchemaCheck implements OnApplicationBootstrap {
  /**
   * The differences by data model. Clients may be created for each request, but those of one generated client have the same data model
   * object.
   */
  private readonly known = new WeakMap<PrismaDataModel, readonly string[]>();
  private readonly fitting = new WeakSet<DataClient>();
  private readonly logger = new Logger('ResourceApi');

  constructor(
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'schema'>,
    private readonly client: BootClient,
    private readonly mounts: MountNames,
  ) {}

  /**
   * Checks the client that is available at boot, if there is one.
   *
   * @throws ConfigurationError if the schema does not fit the client
   */
  async onApplicationBootstrap(): Promise<void> {
    const client = await this.client.atBoot();
    if (client) this.requireFit(client);
  }

  /**
   * Checks that the schema fits a client.
   *
   * @throws ConfigurationError if it does not
   */
  requireFit(client: DataClient): void {
    if (this.fitting.has(client)) return;
    const dataModel = this.options.schema.orm === 'zenstack' ? undefined : prismaDataModelOf(client);
    const differences = dataModel && (this.known.get(dataModel) ?? this.compare(dataModel, client));
    if (differences && differences.length > 0) throw misfit(differences);
    this.fitting.add(client);
  }

  private compare(dataModel: PrismaDataModel, client: DataClient): readonly string[] {
    const differences = compareDataModels(this.options.schema, dataModel);
    this.known.set(dataModel, differences);
    if (differences.length === 0) this.warnOfOtherText(prismaSchemaTextOf(client));
    return differences;
  }

  /** Warns if the texts of the schemas differ. Defaults, keys, enums and `@api.…` comments are in the text, and not in the data model. */
  private warnOfOtherText(text: string | undefined): void {
    const { hash } = this.options.schema;
    if (hash === undefined || text === undefined || hash === createHash('sha256').update(text).digest('hex')) return;
    this.logger.warn(
      `${this.mounts.all}: ` +
        'The option `schema` and the data client were generated from different texts of the Prisma schema: defaults, keys, enums or exposure comments may be stale. Run `prisma generate`.',
    );
  }
}

const MOST = 10;

function misfit(differences: readonly string[]): ConfigurationError {
  const more = differences.length > MOST ? [`${differences.length - MOST} more`] : [];
  return new ConfigurationError(
    `The option \`schema\` does not fit the data client: ${[...differences.slice(0, MOST), ...more].join('; ')}.`,
    'Run `prisma generate`, which writes both, and start again; or pass the `resourceSchema` of the Prisma schema that this client is made from.',
  );
}
