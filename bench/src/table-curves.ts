import type { Contender } from './contenders.js';
import { type Database, hasServer, openDatabase } from './database.js';
import { type Running, startContender } from './process.js';

/** µs by size. An exponent of `most` is too much. */
export interface Curve {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly costs: readonly number[];
  readonly most: number;
}

const CLIENTS: readonly Contender['client'][] = ['prisma', 'sql'];
const WORKS = [
  { name: 'one row by its key', path: '/rest/event/500', most: 0.5 },
  { name: 'a page of 20', path: '/rest/event?page%5Blimit%5D=20', most: 0.5 },
  { name: 'a page of 20 + total', path: '/counted/event?page%5Blimit%5D=20', most: 1.5 },
];
const WARM_UP = 1000;
const REQUESTS = 60;

/** Measures how the time of a response grows with its table, on Fastify and PostgreSQL. Returns the reason where this cannot be measured. */
export async function tableCurves(short: boolean): Promise<readonly Curve[] | string> {
  if (!hasServer()) return 'What grows with a table is left out: PostgreSQL is not installed here, and DATABASE_URL names no server.';
  const database = await openDatabase();
  const running: Running[] = [];
  try {
    for (const client of CLIENTS) running.push(await startContender({ app: 'growing', platform: 'Fastify', client }, database.url));
    return await measureTables(database, running, short ? [1000, 10_000, 100_000] : [1000, 10_000, 100_000, 1_000_000]);
  } finally {
    for (const one of running) one.stop();
    await database.drop();
  }
}

async function measureTables(database: Database, running: readonly Running[], sizes: readonly number[]): Promise<readonly Curve[]> {
  const curves = WORKS.flatMap(({ path, ...work }) =>
    running.map(({ contender: { client }, url }) => ({
      url: url + path,
      curve: { ...work, name: `rows of a table, ${work.name}, ${client}`, sizes, costs: [] as number[] },
    })),
  );
  let rows = 0;
  for (const size of sizes) {
    await database.run(`INSERT INTO "Event" ("kind") SELECT 'kind ' || n % 100 FROM generate_series(${rows + 1}, ${size}) n`);
    await database.run('VACUUM ANALYZE "Event"');
    if (rows === 0) for (const { url } of curves) await timesOf(url, WARM_UP);
    rows = size;
    for (const { url, curve } of curves) curve.costs.push(await costOf(url));
  }
  return curves.map(({ curve }) => curve);
}

/** Returns the µs of a response, of requests one after the other: the first quartile, because other load of the machine only makes it longer. */
async function costOf(url: string): Promise<number> {
  await timesOf(url, 5);
  const times = await timesOf(url, REQUESTS);
  return times.sort((one, other) => one - other)[REQUESTS >> 2] ?? NaN;
}

async function timesOf(url: string, requests: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < requests) {
    const began = process.hrtime.bigint();
    const response = await fetch(url);
    const text = await response.text();
    times.push(Number(process.hrtime.bigint() - began) / 1000);
    if (!response.ok) throw new Error(`${url} is answered with ${response.status}: ${text}`);
  }
  return times;
}
