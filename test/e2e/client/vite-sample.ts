import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../../..');
const TSC = resolve(ROOT, 'node_modules/typescript/bin/tsc');

const run = promisify(execFile);

/** A sample that is a Vite project in a separate package. */
export class ViteSample {
  readonly #folder: string;
  readonly #vite: string;

  /** @param folder path from the repository's root */
  constructor(folder: string) {
    this.#folder = resolve(ROOT, folder);
    this.#vite = resolve(this.#folder, 'node_modules/vite/bin/vite.js');
  }

  /** Whether its packages are installed. */
  get isInstalled(): boolean {
    return existsSync(this.#vite);
  }

  /** Returns the output of the compiler, which is empty without errors. */
  async typecheck(): Promise<string> {
    const { stdout } = await run(process.execPath, [TSC], { cwd: this.#folder }).catch((error: unknown) => error as { stdout: string });
    return stdout;
  }

  async build(): Promise<void> {
    await run(process.execPath, [this.#vite, 'build'], { cwd: this.#folder, env: { ...process.env, NODE_ENV: 'production' } });
  }

  /** Serves the built pages on a free port, with an API behind `/api`. */
  async preview(api: string): Promise<{ readonly url: string; readonly process: ChildProcess }> {
    const child = spawn(process.execPath, [this.#vite, 'preview', '--port', '0', '--host', '127.0.0.1'], {
      cwd: this.#folder,
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', API_URL: api },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    let url: string | undefined;
    while (url === undefined) {
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
      output += chunk.toString();
      url = /http:\/\/127\.0\.0\.1:\d+\//.exec(output)?.[0];
    }
    return { url, process: child };
  }
}
