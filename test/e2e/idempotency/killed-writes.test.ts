import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { type ApplicationProcess, bundleClient, type ClientBundle } from '../../support/application-process.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { IS_LONG, long } from '../../support/long.js';
import { openPostgres } from '../../support/postgres-database.js';

/** The points of its transaction at which a process kills itself. */
const POINTS = ['committing', 'begun', 'claimed', 'written', 'kept', 'committed', 'answered'] as const;

const URL_OF_SERVER = process.env['TEST_DATABASE_URL'];

/** The number of concurrent writes when a process dies. PGlite executes one after the other. */
const AT_ONCE = 10;

/** On a server, the long suite interrupts a thousand writes. */
const PROCESSES = URL_OF_SERVER !== undefined && IS_LONG ? 1000 / AT_ONCE : POINTS.length;

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly isReplayed: boolean;
}

onDatabases('postgresql').describe('a process that is killed while it writes', () => {
  let bundle: ClientBundle;
  let database: { readonly connectionString?: string | undefined; readonly close: () => Promise<void> };

  beforeAll(async () => {
    bundle = await bundleClient();
    database = URL_OF_SERVER === undefined ? { close: () => Promise.resolve() } : await openPostgres(URL_OF_SERVER);
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await bundle.remove();
  });

  function start(point: string, after: number): Promise<ApplicationProcess> {
    const options = { folder: join(bundle.folder, 'data'), connectionString: database.connectionString, point, after };
    return bundle.start(new URL('killed-writer.mjs', import.meta.url), options);
  }

  /** @returns undefined without a response */
  async function write({ url }: ApplicationProcess, key: string, signal?: AbortSignal): Promise<Answered | undefined> {
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

  /** Sends concurrent writes to a process that kills itself during one of them, and aborts another one. */
  async function interrupt(round: number): Promise<readonly (readonly [string, Answered | undefined])[]> {
    const writer = await start(POINTS[round % POINTS.length] ?? 'begun', 1 + (round % (AT_ONCE - 2)));
    const cut = new AbortController();
    const keys = Array.from({ length: AT_ONCE }, (_, index) => `key-${round}-${index}`);
    const sent = keys.map(async (key, index) => [key, await write(writer, key, index === 3 ? cut.signal : undefined)] as const);
    setTimeout(() => {
      cut.abort();
    }, round % 20);
    const answers = await Promise.all(sent);
    expect(await writer.ended).toEqual([null, 'SIGKILL']);
    return answers;
  }

  // Each process takes seconds to start.
  const onServerOrLong = URL_OF_SERVER === undefined ? long.it : it;
  onServerOrLong(
    `IK-08, IK-21: executes the write of each key once or not at all, and once after a second attempt: ${PROCESSES} processes with ${AT_ONCE} writes each`,
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
      writer.child.disconnect();
      await writer.ended;
    },
    IS_LONG ? 3_600_000 : 300_000,
  );
});
