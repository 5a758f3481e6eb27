import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { long } from './long.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A sample that runs in a separate process, as `npm start` runs it. */
export interface SampleProcess {
  /** Where it listens. */
  readonly url: string;
  readonly pid: number | undefined;
  /** What it has printed so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Sends a signal and waits for the end. */
  readonly stop: (signal: NodeJS.Signals) => Promise<{ readonly code: number | null; readonly milliseconds: number }>;
}

/** Where another application than a sample of this repository starts. */
export interface SampleHost {
  readonly cwd: string;
  /** Path of Node. */
  readonly node: string;
  /** Its variables beside `PORT`. @default those of this process, without a database */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Starts a compiled sample on a free port and waits until it has printed `ready`.
 *
 * @param main path of its compiled main file, from the repository's root
 * @throws with all that it printed when it ends before that
 */
export async function startSample(
  main: string,
  ready: string,
  { cwd, node, environment = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: '' } }: SampleHost = { cwd: ROOT, node: process.execPath },
): Promise<SampleProcess> {
  const port = await freePort();
  const child = spawn(node, [main], {
    cwd,
    env: { ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  await waitFor(child, () => output.stdout.includes(ready)).catch((cause: unknown) => {
    throw new Error(`The sample ended before it was ready:\n${output.stdout}${output.stderr}`, { cause });
  });
  return { url: `http://localhost:${port}`, pid: child.pid, output: () => ({ ...output }), stop: (signal) => stop(child, signal) };
}

/**
 * A suite on the running blog, which starts for it and stops after it: one of the long ones, as it takes seconds to start.
 *
 * @param tests registers them; the blog runs once they do
 */
export function describeOnBlog(name: string, tests: (blog: Pick<SampleProcess, 'url'>) => void): void {
  long.describe(name, () => {
    let running: SampleProcess;
    beforeAll(async () => {
      running = await startSample('sample/blog/dist/main.js', 'curl -G');
    }, 60_000);
    afterAll(() => running.stop('SIGTERM'));

    tests({
      get url() {
        return running.url;
      },
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitFor(child: ChildProcess, isReady: () => boolean): Promise<void> {
  while (!isReady()) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Exit code ${child.exitCode ?? child.signalCode ?? ''}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals) {
  const start = performance.now();
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exit) as [number | null];
  return { code, milliseconds: performance.now() - start };
}
