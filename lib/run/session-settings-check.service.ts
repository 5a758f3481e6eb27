import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataClient } from '../executor/data-client.js';
import { prismaExecutor } from '../executor/prisma-executor.js';
import { fieldsBySetting, type UnfitSetting, unfitSettingsSql, unfitSettingText } from '../executor/client/session-settings.js';
import { isOpenTransaction } from '../executor/transactions.js';
import { dataLayerError } from '../errors/data-layer-error.js';
import { refusedParameter, refusedParameterText } from '../errors/database-messages.js';
import type { ResourceModel } from '../model/resource-model.js';
import { BootClient } from '../platform/boot-client.service.js';
import { MountNames } from '../platform/mount-names.service.js';
import { RESOURCE_MODEL } from '../options/tokens.js';
import { inBackground } from '../utils/in-background.js';
import { sqlOf } from '../sql/client-sql.js';

/** Maximum time that the boot waits for the database, in milliseconds. A later result is logged when it arrives. */
const MOST_WAIT = 1_000;

/** Milliseconds after which the check is repeated if the database could not be reached. */
const INTERVAL = 1_000;

/**
 * Warns of session settings that change values (`TimeZone`, `DateStyle`, …), with one query for each pool. Runs at boot if a client is available
 * without a request, otherwise at the first request. An unreachable database is not an error here: a later request repeats the check.
 *
 * Also reports that a pooler refuses the startup parameters of the connections.
 */
@Injectable()
export class SessionSettingsCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('ResourceApi');
  private isDone = false;
  /** In milliseconds, on the clock of `performance.now()`. */
  private nextTime = 0;
  private isRefusalLogged = false;
  private readonly warned = new Set<string>();

  constructor(
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    private readonly client: BootClient,
    private readonly mounts: MountNames,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const client = await this.client.atBoot();
    if (client) await Promise.race([this.check(client), sleep(MOST_WAIT, undefined, { ref: false })]);
  }

  /** Starts the check, unless it is done. The request does not wait for it. */
  checkOnce(client: DataClient): void {
    if (!this.isDone) inBackground(this.check(client));
  }

  /** Checks the sessions of the first client that reaches its database. Later calls do nothing. */
  async check(client: DataClient): Promise<void> {
    // The query would run in the transaction of the application, which may end in the meantime.
    if (this.isDone || performance.now() < this.nextTime || isOpenTransaction(client)) return;
    this.isDone = true;
    this.nextTime = performance.now() + INTERVAL;
    const fields = fieldsBySetting(this.model.storage);
    if (fields.size === 0) return;
    const sql = unfitSettingsSql(fields);
    const pool = sqlOf(client)?.setup.pool;
    const read = async (query: () => Promise<unknown>): Promise<readonly UnfitSetting[]> => {
      try {
        return rowsOf(await query());
      } catch (error) {
        // The request itself fails if its database cannot be reached.
        this.reportRefusal(error);
        if (dataLayerError(error)?.status === 503) this.isDone = false;
        return [];
      }
    };
    const [own, pooled] = await Promise.all([
      read(async () => prismaExecutor(client).sql?.(sql, [])),
      read(async () => pool?.read({ text: sql, values: [], timeout: undefined, isAlwaysQuick: true, convert: toSetting })),
    ]);
    const texts = [
      ...own.map((setting) => unfitSettingText('data client', setting, fields)),
      ...pooled.map((setting) => unfitSettingText('pool that SQL runs on', setting, fields)),
    ];
    for (const text of texts.filter((each) => !this.warned.has(each))) {
      this.warned.add(text);
      this.logger.warn(`${this.mounts.all}: ${text}`);
    }
  }

  /** Logs once that a pooler refuses the connections because of a startup parameter. Other errors are ignored. */
  reportRefusal(error: unknown): void {
    const parameter = this.isRefusalLogged ? undefined : refusedParameter(error);
    if (parameter === undefined) return;
    this.isRefusalLogged = true;
    this.logger.error(`${this.mounts.all}: ${refusedParameterText(parameter)}`);
  }
}

function rowsOf(rows: unknown): readonly UnfitSetting[] {
  return Array.isArray(rows) ? rows.filter(isSetting) : [];
}

/** Whether a row is a setting. A fake client in a test may return anything. */
function isSetting(row: unknown): row is UnfitSetting {
  return typeof row === 'object' && row !== null && ['name', 'value'].every((name) => typeof Reflect.get(row, name) === 'string');
}

function toSetting([name, value]: readonly (string | null)[]): unknown {
  return { name, value };
}
