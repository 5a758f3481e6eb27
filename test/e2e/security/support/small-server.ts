import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { resourceSchema } from '../../../support/generated/resource-schema.js';
import type { Platform } from '../../../support/test-app.js';

const SCRIPT = fileURLToPath(new URL('refusing-app.mjs', import.meta.url));

/** The built package in a separate process with a limited heap. */
export interface SmallServer {
  readonly port: number;
  /** Returns the number of calls of the data client, and the peak memory of the process. */
  readonly report: () => Promise<{ readonly calls: number; readonly megabytes: number }>;
  readonly stop: () => Promise<void>;
}

/** @param heap its ceiling, in megabytes */
export async function startSmallServer(platform: Platform, heap: number): Promise<SmallServer> {
  const execArgv = [`--max-old-space-size=${heap}`];
  const child = fork(SCRIPT, { execArgv, env: { ...process.env, NODE_OPTIONS: '' }, silent: true });
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
  const { port } = await request<{ readonly port: number }>({ schema: resourceSchema, platform });
  return {
    port,
    report: async () => {
      const { calls, kilobytes } = await request<{ readonly calls: number; readonly kilobytes: number }>({});
      return { calls, megabytes: kilobytes / 1024 };
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await end;
    },
  };
}
