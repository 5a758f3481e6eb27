import { build, type Format } from 'esbuild';
import { resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { createRpcClient as source } from '../../../lib/client/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { recordedFetch } from './recorded-fetch.js';

/** What an application ships: this package's client without decimal.js, for browsers. */
async function bundle(format: Format): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(import.meta.dirname, '../../../lib/client/index.ts')],
    bundle: true,
    minify: true,
    write: false,
    format,
    platform: 'browser',
    target: 'es2022',
    external: ['decimal.js'],
  });
  return outputFiles[0]?.text ?? '';
}

describe('the bundled client', () => {
  it('is smaller than 8 kB, minified and gzipped', async () => {
    expect(gzipSync(await bundle('esm'), { level: 9 }).length).toBeLessThan(8000);
  });

  it('imports decimal.js and nothing else', async () => {
    const imports = [...(await bundle('esm')).matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)];
    expect(imports.map(([, specifier]) => specifier)).toEqual(['decimal.js']);
  });

  it('works where there are the globals of the language and of the web, and none of Node', async () => {
    const code = `const module = { exports: {} }, require = () => ({}); ${await bundle('cjs')}; module.exports;`;
    const { createRpcClient } = runInNewContext(code, { TextDecoder, Headers, Uint8Array }) as { createRpcClient: typeof source };
    const { fetch, requests } = recordedFetch({ data: 'MTI=', meta: { serialization: { values: [['custom', 'Bytes']] } } });
    const api = createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch });
    // The answer is made up: bytes, where the type has a record.
    expect(Array.from((await api.profile.findFirst()) as unknown as Uint8Array)).toEqual([49, 50]);
    await api.profile.create({ data: { userId: 1, avatar: new Uint8Array(1) } });
    expect(requests.map(({ url }) => url)).toEqual(['/api/rpc/profile/findFirst', '/api/rpc/profile/create']);
  });
});
