import { build } from 'esbuild';
import { resolve } from 'node:path';

/** The client as a web application ships it, decimal.js included: an ES module with the exports of both. */
export async function browserBundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './lib/client/index.ts'; export { Decimal } from 'decimal.js';",
      resolveDir: resolve(import.meta.dirname, '../../..'),
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}
