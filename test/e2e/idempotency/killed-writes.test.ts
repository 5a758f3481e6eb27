import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { memberOf } from '../../../lib/errors/member-of.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { IS_LONG, long } from '../../support/long.js';
import { openPostgres } from '../../support/postgres-database.js';

/** Where a process kills itself: what of its transaction is done by then. */
const POINTS = ['committing', 'begun', 'claimed', 'written', 'kept', 'committed', 'answered'] as const;

const URL_OF_SERVER = process.env['TEST_DATABASE_URL'];

/** Writes that are under way when a process dies. PGlite does one after the other. */
const AT_ONCE = 10;

/** On a server, the long suite interrupts a thousand writes. */
const PROCESSES = URL_OF_SERVER !== undefined && IS_LONG ? 1000 / AT_ONCE : POINTS.length;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

interface Writer {
  readonly url: string;
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly isReplayed: boolean;
}

onDatabases('postgresql').describe('a process that is killed while it writes', () => {
  let folder: string;
  let bundle: string;
  let database: { readonly connectionString?: string | undefined; readonly close: () => Promise<void> };

  beforeAll(async () => {
    // Beside the packages that it needs.
    folder = await mkdtemp(join(ROOT, 'node_modules/.cache/killed-writes-'));
    bundle = join(folder, 'bundle.mjs');
    await build({
      stdin: {
        contents: `export { PrismaClient } from './test/support/generated/prisma/client.ts';
          export { resourceSchema } from './test/support/generated/resource-schema.ts';`,
        resolveDir: resolve(ROOT),
      },
      outfile: bundle,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
    });
    database = URL_OF_SERVER === undefined ? { close: () => Promise.resolve() } : await openPostgres(URL_OF_SERVER);
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(point: string, after: number): Promise<Writer> {
    const { connectionString } = database;
    const options = { bundle: pathToFileURL(bundle).href, folder: join(folder, 'data'), connectionString, point, after };
    const child = fork(fileURLToPath(new URL('killed-writer.mjs', import.meta.url)), [JSON.stringify(options)], {
      env: { ...process.env, NODE_OPTIONS: '' },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit');
    const [message]: readonly unknown[] = await Promise.race([once(child, 'message'), ended]);
    const url = memberOf(message, 'url');
    if (typeof url !== 'string') throw new Error('The writer ended before it was ready.');
    return { url, process: child, ended };
  }

  /** @returns undefined where no answer came */
  async function write({ url }: Writer, key: string, signal?: AbortSignal): Promise<Answered | undefined> {
    const isRest = key.endsWith('0') || key.endsWith('5');
    const path = isRest ? '/api/rest/auditEvent' : '/api/rpc/auditEvent/create';
    const data = { type: key, payload: {} };
    const body = isRest ? { data: { type: 'auditEvent', attributes: { kind: key, payload: {} } } } : { data };
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': isRest ? 'application/vnd.api+json' : 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
      const isReplayed = response.headers.get('idempotency-replayed') === 'true';
      return { status: response.status, text: await response.text(), isReplayed };
    } catch {
      return undefined;
    }
  }

  /** Sends writes at once to a process that dies of one of them, and cuts the connection of another. */
  async function interrupt(round: number): Promise<readonly (readonly [string, Answered | undefined])[]> {
    const writer = await start(POINTS[round % POINTS.length] ?? 'begun', 1 + (round % (AT_ONCE - 2)));
    const cut = new AbortController();
    const keys = Array.from({ length: AT_ONCE }, (_, index) => `key-${round}-${index}`);
    const sent = keys.map(async (key, index) => [key, await write(writer, key, index === 3 ? cut.signal : undefined)] as const);
    setTimeout(() => {
      cut.abort();
    }, round % 20);
    const answers = await Promise.all(sent);
    const [code, signal] = (await writer.ended) as readonly [number | null, string | null];
    expect([code, signal]).toEqual([null, 'SIGKILL']);
    return answers;
  }

  // Each process takes seconds to start.
  const onServerOrLong = URL_OF_SERVER === undefined ? long.it : it;
  onServerOrLong(
    `IK-08, IK-21: leaves of each key one effect or none, and of a second attempt one: ${PROCESSES} processes with ${AT_ONCE} writes each`,
    async () => {
      const answers: (readonly [string, Answered | undefined])[] = [];
      for (let round = 0; round < PROCESSES; round++) answers.push(...(await interrupt(round)));
      expect(answers.length).toBe(PROCESSES * AT_ONCE);
      expect(answers.some(([, answer]) => answer === undefined)).toBe(true);

      const writer = await start('never', 1);
      for (const [key, before] of answers) {
        const after = await write(writer, key);
        expect([key, after?.status]).toEqual([key, 201]);
        if (before?.status === 201) expect(after).toEqual({ ...before, isReplayed: true });
        expect(await write(writer, key)).toEqual({ ...after, isReplayed: true });
      }
      const grouped = encodeURIComponent(JSON.stringify({ by: ['type'], _count: true }));
      const groups = await fetch(`${writer.url}/api/rpc/auditEvent/groupBy?q=${grouped}`);
      const { data } = (await groups.json()) as { readonly data: readonly { readonly type: string; readonly _count: number }[] };
      const written = data.filter(({ type }) => type.startsWith('key-'));
      expect(written.filter(({ _count }) => _count !== 1)).toEqual([]);
      expect(written.length).toBe(answers.length);
      writer.process.disconnect();
      await writer.ended;
    },
    IS_LONG ? 3_600_000 : 300_000,
  );
});
