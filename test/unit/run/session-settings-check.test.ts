import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BootClient } from '../../../lib/platform/boot-client.service.js';
import type { MountNames } from '../../../lib/platform/mount-names.service.js';
import { SessionSettingsCheck } from '../../../lib/run/session-settings-check.service.js';
import { modelOf } from '../rpc/model-of.js';

const ZONED = modelOf('model Day {\n id Int @id\n at DateTime @db.Timestamptz(3)\n}').model;
const PLAIN = modelOf('model Day {\n id Int @id\n name String\n}').model;
const TOKYO = { name: 'TimeZone', value: 'Asia/Tokyo' };
/** As Prisma has it where no server is reached. */
const UNREACHABLE = Object.assign(new Error("Can't reach database server"), { name: 'PrismaClientInitializationError', code: 'P1001' });

let warned: string[] = [];
let failed: string[] = [];
let time = 10_000;

beforeEach(() => {
  [warned, failed, time] = [[], [], 10_000];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => void warned.push(String(text)));
  jest.spyOn(Logger.prototype, 'error').mockImplementation((text: unknown) => void failed.push(String(text)));
  jest.spyOn(performance, 'now').mockImplementation(() => time);
});
afterEach(() => {
  jest.restoreAllMocks();
});

function checkOf(model = ZONED, getClient: (...given: never[]) => object = (_: object) => ({})): SessionSettingsCheck {
  // Nest creates it from modules, which this test lacks.
  const mounts = { all: '/api/rest' } as MountNames;
  return new SessionSettingsCheck(model, new BootClient({ getClient }), mounts);
}

/** Returns a client that returns these results one after the other, and counts its queries. */
function clientOf(...answers: readonly unknown[]): object & { readonly counted: () => number } {
  let queries = 0;
  const client = {
    // A transaction of Prisma has none.
    $connect: () => undefined,
    $queryRawUnsafe: () => {
      const answer = answers[Math.min(queries++, answers.length - 1)];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    counted: () => queries,
  };
  return client;
}

describe('the check of session settings', () => {
  it('warns once of a setting that changes values, and queries it once', async () => {
    const check = checkOf();
    const client = clientOf([TOKYO]);
    await check.check(client);
    time += 60_000;
    await check.check(client);
    expect(warned).toEqual([
      expect.stringMatching(/^\/api\/rest: The connections of the data client have TimeZone = 'Asia\/Tokyo', .* Day\.at\. /),
    ]);
    expect(client.counted()).toBe(1);
  });

  it.each<[string, unknown]>([
    ['no rows', []],
    ['what is no list', 7],
    ['rows that are no settings', [null, 7, {}, { name: 'TimeZone' }, { name: 'TimeZone', value: 3 }]],
  ])('does not warn where the client returns %s', async (_, answer) => {
    await checkOf().check(clientOf(answer));
    expect([warned, failed]).toEqual([[], []]);
  });

  it('queries nothing where no setting changes a field, or the client has no raw queries', async () => {
    const client = clientOf([TOKYO]);
    await checkOf(PLAIN).check(client);
    await checkOf().check({});
    expect([client.counted(), warned]).toEqual([0, []]);
  });

  it('queries again after at least a second where the database was not reached', async () => {
    const check = checkOf();
    const client = clientOf(UNREACHABLE, UNREACHABLE, [TOKYO]);
    const checked: number[] = [];
    for (const later of [0, 999, 1, 500, 1_000, 60_000]) {
      time += later;
      await check.check(client);
      checked.push(client.counted());
    }
    expect(checked).toEqual([1, 1, 2, 2, 3, 3]);
    expect(warned).toHaveLength(1);
  });

  it('does not query again where the database refuses the query', async () => {
    const check = checkOf();
    const client = clientOf(new Error('permission denied'));
    await check.check(client);
    time += 5_000;
    await check.check(client);
    expect([client.counted(), warned, failed]).toEqual([1, [], []]);
  });

  it('logs once that a pooler refuses a parameter of the connections', async () => {
    const check = checkOf();
    await check.check(clientOf(new Error('unsupported startup parameter: search_path')));
    check.reportRefusal(new Error('unsupported startup parameter: other'));
    check.reportRefusal(new Error('something else'));
    expect(failed).toEqual([expect.stringMatching(/^\/api\/rest: The connection pooler .* search_path/)]);
  });

  it('runs at boot for a client that needs no request, and takes at most a second of it', async () => {
    const client = clientOf([TOKYO]);
    await checkOf(ZONED, () => client).onApplicationBootstrap();
    expect(warned).toHaveLength(1);
    await checkOf(ZONED, () => ({
      $connect: () => undefined,
      $queryRawUnsafe: () => new Promise(() => undefined),
    })).onApplicationBootstrap();
    const later = clientOf([TOKYO]);
    await checkOf(ZONED, (_: object) => later).onApplicationBootstrap();
    expect(later.counted()).toBe(0);
  });
});
