import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const APPLICATION = fileURLToPath(new URL('application.mjs', import.meta.url));

it.each([
  ['absent', false],
  ['present', true],
])(
  'an application serves its API if @opentelemetry/api is %s',
  async (peer, isLoaded) => {
    const { stdout } = await run(process.execPath, [APPLICATION, peer], { env: { ...process.env, NODE_OPTIONS: '' } });
    expect(JSON.parse(stdout)).toEqual({ status: 200, isLoaded });
  },
  120_000,
);
