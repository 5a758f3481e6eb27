import { build } from 'esbuild';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { resourceSchema } from '../../../support/generated/resource-schema.js';
import type { Platform } from '../../../support/test-app.js';

const SCRIPT = fileURLToPath(new URL('measured-app.mjs', import.meta.url));
const GENERATED = fileURLToPath(new URL('../../../support/generated', import.meta.url));

/** The built package on a real database, in a separate process, because a test runner slows down globals. */
export interface MeasuredServer {
  readonly url: string;
  /** Measures the memory and the ticks of the process during some work. */
  readonly measure: <Result>(work: () => Promise<Result>) => Promise<Measured<Result>>;
  readonly stop: () => Promise<void>;
}

export interface Measured<Result> {
  readonly result: Result;
  /** The peak growth of memory during the work, in bytes: heap and external memory. */
  readonly growth: number;
  /** The growth of memory after garbage collection, in bytes. */
  readonly kept: number;
  /**
   * The longest tick of the event loop in milliseconds of processor time, including garbage collection and compilation. Wall-clock time would depend on
   * the load of the machine.
   */
  readonly longest: number;
}

/**
 * @param connectionString of a PostgreSQL database with the tests' schema
 * @param isSql whether reads are SQL reads
 */
export async function startMeasuredServer(platform: Platform, connectionString: string, isSql = false): Promise<MeasuredServer> {
  await compileClient();
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = fork(SCRIPT, { execArgv: ['--expose-gc'], env, silent: true });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const end = once(child, 'exit');
  const request = async <Answer>(question: object): Promise<Answer> => {
    const answer = once(child, 'message') as Promise<[Answer]>;
    if (child.connected) child.send(question);
    const [first] = await Promise.race([answer, end.then(() => [undefined] as const)]);
    if (first === undefined) throw new Error(`The server has ended: ${errors}`);
    return first;
  };
  const { port } = await request<{ readonly port: number }>({ schema: resourceSchema, platform, connectionString, isSql });
  return {
    url: `http://127.0.0.1:${port}`,
    measure: async (work) => {
      await request({ begin: true });
      const result = await work();
      return { result, ...(await request<Omit<Measured<unknown>, 'result'>>({ begin: false })) };
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await end;
    },
  };
}

/** The tests' Prisma client is TypeScript. */
async function compileClient(): Promise<void> {
  await build({
    entryPoints: [`${GENERATED}/prisma/client.ts`],
    outfile: `${GENERATED}/prisma-client.mjs`,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'es2022',
  });
}
