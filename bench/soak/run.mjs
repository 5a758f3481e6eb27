/*
 * Mixed traffic at 64 connections for some minutes, with samples of memory, handles, connections, prepared statements and latency. It ends with an
 * error where one of them grows in the second half by more than `trend.mjs` allows, or where a response is not the expected one.
 *
 * DATABASE_URL=postgresql://… npm run soak [-- --minutes 15 --engine prisma|sql --json samples.json]
 */
import { build } from 'esbuild';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { judge, TOLERANCES } from './trend.mjs';
import { Traffic } from './traffic.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CONNECTIONS = 64;
/** One every ten seconds of the fifteen minutes; a shorter run needs some, too. */
const LEAST_SAMPLES = 30;

/** The share of requests that may take longer than `limits.maxDuration`, because the machine is busy. */
const MOST_UNAVAILABLE = 0.01;

const ROWS = `
  INSERT INTO "User" (id, email, name, "passwordHash", "updatedAt") SELECT i, i || '@example.com', 'User ' || i, 'x', now() FROM generate_series(1, 50) i;
  INSERT INTO "Profile" ("userId", bio) SELECT i, 'Profile ' || i FROM generate_series(1, 50) i;
  INSERT INTO "Tag" (id, name) SELECT i, 'tag ' || i FROM generate_series(1, 20) i;
  INSERT INTO "Post" (id, title, content, "authorId", "updatedAt") SELECT i, 'Post ' || i % 700, repeat('text ', 40), 1 + i % 50, now() FROM generate_series(1, 2000) i;
  INSERT INTO "Comment" (body, "postId", "authorId") SELECT 'Comment ' || i, 1 + i % 2000, 1 + i % 50 FROM generate_series(1, 6000) i;
  INSERT INTO "_PostToTag" ("A", "B") SELECT i, 1 + i % 20 FROM generate_series(1, 2000) i;
  CREATE INDEX ON "Comment" ("postId"); CREATE INDEX ON "Post" ("authorId"); ANALYZE;`;

const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const count = (number) => number.toFixed(0);

const ROWS_OF_TABLE = {
  rss: ['resident memory', megabytes],
  heap: ['heap after garbage collection', megabytes],
  external: ['memory beside the heap', megabytes],
  handles: ['active handles', count],
  connections: ['connections to the database', count],
  prepared: ['prepared statements', count],
  latency: ['median latency', (milliseconds) => `${milliseconds.toFixed(1)} ms`],
};

const { minutes, engine, json } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    engine: { type: 'string', default: 'prisma' },
    json: { type: 'string' },
  },
}).values;
if (!['prisma', 'sql'].includes(engine)) throw new Error(`--engine is prisma or sql, not ${engine}.`);
const SAMPLES = Math.max(LEAST_SAMPLES, Math.round(Number(minutes) * 6));
const server = process.env.DATABASE_URL ?? process.env.TEST_DATABASE_URL;
if (!server) throw new Error('Name a PostgreSQL server in DATABASE_URL.');

const name = `soak_${process.pid}`;
const database = Object.assign(new URL(server), { pathname: `/${name}` }).href;
const folder = mkdtempSync(join(ROOT, 'node_modules/.cache/soak-'));
await runOn(server, `CREATE DATABASE ${name}`);
try {
  await runOn(database, readFileSync(join(ROOT, 'test/support/prisma/database.sql'), 'utf8') + ROWS);
  await report(await soak());
} finally {
  rmSync(folder, { recursive: true, force: true });
  await runOn(server, `DROP DATABASE ${name} WITH (FORCE)`);
}

async function soak() {
  const child = fork(fileURLToPath(new URL('serve.mjs', import.meta.url)), [JSON.stringify(await optionsOf())], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The application ended with ${code}.`);
  });
  const next = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  ended.catch(() => undefined);
  const { port } = await next();
  const observer = new pg.Client({ connectionString: database, application_name: 'observer' });
  await observer.connect();
  const traffic = new Traffic(port, CONNECTIONS);
  const samples = [];
  const begin = performance.now();
  for (let index = 1; index <= SAMPLES; index += 1) {
    await sleep(Math.max(0, begin + (Number(minutes) * 60_000 * index) / SAMPLES - performance.now()));
    samples.push(await traffic.during(() => takeSample({ child, next, observer, traffic, begin })));
  }
  await traffic.end();
  await observer.end();
  child.disconnect();
  return { samples, traffic };
}

async function takeSample({ child, next, observer, traffic, begin }) {
  child.send({});
  const sample = await next();
  // As an application does for itself (docs/idempotency.md, "Remove old records").
  await observer.query('DELETE FROM "IdempotencyKey"');
  const { rows } = await observer.query(
    `SELECT count(*)::int AS connections FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'observer' AND backend_type = 'client backend'`,
  );
  const latencies = traffic.takeLatencies();
  return {
    at: performance.now() - begin,
    ...sample,
    ...rows[0],
    latency: latencies[latencies.length >> 1] ?? 0,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    requests: latencies.length,
  };
}

/** The tests' Prisma client is TypeScript, which Node 20 cannot import. */
async function optionsOf() {
  const outfile = join(folder, 'bundle.mjs');
  const contents = `export { PrismaClient } from './test/support/generated/prisma/client.ts';
    export { resourceSchema } from './test/support/generated/resource-schema.ts';`;
  await build({ stdin: { contents, resolveDir: ROOT }, outfile, bundle: true, packages: 'external', format: 'esm', platform: 'node' });
  return { bundle: pathToFileURL(outfile).href, connectionString: database, engine };
}

function report({ samples, traffic }) {
  if (json) writeFileSync(json, JSON.stringify(samples));
  const requests = samples.reduce((sum, sample) => sum + sample.requests, 0);
  const statuses = [...traffic.statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
  console.log(
    `${engine}, ${minutes} minutes, ${CONNECTIONS} connections, ${requests} responses (${statuses.join(', ')}), ${traffic.aborted} aborted requests\n`,
  );
  console.log('| quantity | first half | second half | growth in the second half | allowed |\n| --- | --- | --- | --- | --- |');
  const judged = Object.keys(TOLERANCES).map((quantity) =>
    judge(
      quantity,
      samples.map(({ at, [quantity]: value }) => ({ at, value })),
    ),
  );
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  for (const { name: quantity, before, mean, growth, uncertainty, tolerance } of judged) {
    const [label, format] = ROWS_OF_TABLE[quantity];
    console.log(
      `| ${label} | ${format(before)} | ${format(mean)} | ${percent(growth)} ± ${percent(uncertainty)} | ${percent(tolerance)} |`,
    );
  }
  const faults = judged.filter(({ isTooMuch }) => isTooMuch).map(({ name: quantity }) => `${quantity} grows.`);
  if (traffic.unavailable > requests * MOST_UNAVAILABLE) faults.push(`${traffic.unavailable} requests have passed limits.maxDuration.`);
  // Several workers may have had the same fault.
  const wrong = [...new Set(traffic.wrong)].slice(0, 10);
  if (faults.length + wrong.length > 0) throw new Error([...faults, `${traffic.wrong.length} wrong responses`, ...wrong].join('\n'));
}

async function runOn(connectionString, sql) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql);
  await client.end();
}
