import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import type { ResourceModel } from '../model/resource-model.js';
import { storedModel } from '../model/storage/stored-model.js';
import type { Resource } from '../model/surface/surface.js';
import { BootClient } from '../platform/boot-client.service.js';
import { MountNames } from '../platform/mount-names.service.js';
import { fieldMembers, selectionOf } from '../query/fields.js';
import { findMany } from '../query/read.js';
import { RESOURCE_MODEL } from '../options/tokens.js';
import { lostSqlOf, type ClientSql, sqlOf } from '../sql/client-sql.js';

/** Logs at boot which models Prisma reads although the data client was made for SQL, and the reason. */
@Injectable()
export class SqlReport implements OnApplicationBootstrap {
  private readonly logger = new Logger('ResourceApi');

  constructor(
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    private readonly client: BootClient,
    private readonly mounts: MountNames,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const client = await this.client.atBoot();
    const text = client && this.textFor(client);
    if (text !== undefined) this.logger.log(`${this.mounts.all}: ${text}`);
  }

  private textFor(client: DataClient): string | undefined {
    const sql = sqlOf(client);
    if (!sql) return allByPrisma(lostSqlOf(client));
    const declined = this.model.resources.flatMap((resource) => this.whyDeclined(resource, sql) ?? []);
    return declined.length > 0 ? `Prisma, and not SQL, answers reads of all fields of ${declined.join(', ')}.` : undefined;
  }

  /** Compiles a page of all fields that the API exposes. Returns the reason if the compiler declines. */
  private whyDeclined({ model, attributes }: Resource, sql: ClientSql): string | undefined {
    const { storage } = this.model;
    const stored = storedModel(storage, model);
    const readable = attributes.filter(({ rights }) => rights.read);
    const names = readable.flatMap(({ name, computed }) => (computed ? [] : [name]));
    const computed = readable.flatMap(({ name, computed: is }) => (is ? [{ kind: 'computed', name } as const] : []));
    const selection = selectionOf(stored, [...computed, ...fieldMembers(stored, names)]);
    const query = findMany({ model: stored, selection, page: { take: 1 } });
    const compiled = sql.compilerOf(storage).compile({ kind: 'call', call: { query } });
    return 'reason' in compiled ? `${model} (${compiled.reason})` : undefined;
  }
}

function allByPrisma(lost: ClientSql | undefined): string | undefined {
  return (
    lost &&
    `Prisma, and not SQL, answers all ${lost.setup.writes ? 'reads and writes' : 'reads'}: the data client was extended, bound again or wrapped after ${lost.setup.maker}. ` +
      'Extend it before, or compute fields alone.'
  );
}
