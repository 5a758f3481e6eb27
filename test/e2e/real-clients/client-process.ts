import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A client that Jest cannot load, in a separate Node process. */
export interface ClientProcess {
  /** Runs a task of the script with a new client of the API at a URL. Returns the result of the client, as JSON. */
  readonly run: (url: string, task: string, ...args: readonly unknown[]) => Promise<unknown>;
  /** The output of the client so far. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

/** The message of {@link answerTasks} of `tasks.mjs`, with exactly one of the two members. */
interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/** Starts a script of this folder that calls `answerTasks`. */
export function startClient(script: string, execArgv: readonly string[] = []): ClientProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(path, { execArgv: [...execArgv], env: { ...process.env, NODE_OPTIONS: '' }, silent: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { run: (url, task, ...args) => run(child, { url, task, args }, () => output), output: () => output, stop: () => stop(child) };
}

async function run(child: ChildProcess, task: object, output: () => string): Promise<unknown> {
  const done = new AbortController();
  const answer = once(child, 'message', { signal: done.signal }) as Promise<[Answer]>;
  const end = once(child, 'exit', { signal: done.signal }).then(() => {
    throw new Error(`The client ended:\n${output()}`);
  });
  child.send(task);
  const [{ value, error }] = await Promise.race([answer, end]).finally(() => {
    done.abort();
    for (const loser of [answer, end]) loser.catch(() => undefined);
  });
  if (error !== undefined) throw new Error(error);
  return value;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.disconnect();
  await exit;
}
