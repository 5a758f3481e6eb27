import { createRpcClient } from 'nestjs-resource-api/client';
import type { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import { codeOf, tableAfter } from '../../docs/tables.js';
import { describeOnBlog } from '../../support/sample-process.js';

const PAGE = 'docs/cheat-sheet.md';
const READS = tableAfter(PAGE, '## Read').map((row) => ({ to: row['to get'] ?? '', rest: codeIn(row['REST']), rpc: codeIn(row['RPC']) }));
const WRITES = tableAfter(PAGE, '## Write').map((row) => ({
  to: row['to'] ?? '',
  rest: codeIn(row['REST']),
  body: codeOf(row['body']),
  status: Number(row['status']),
  rpc: codeIn(row['RPC']),
}));

/** Executes every line of docs/cheat-sheet.md on the running sample. */
describeOnBlog(PAGE, (blog) => {
  const send = async (request: string, body = ''): Promise<{ readonly status: number; readonly text: string }> => {
    const [method = '', path = ''] = request.split(' ');
    const headers = { 'X-User-Id': '1', ...(body !== '' && { 'Content-Type': 'application/vnd.api+json' }) };
    const response = await fetch(`${blog.url}/api/rest${path}`, { method, headers, ...(body !== '' && { body }) });
    return { status: response.status, text: await response.text() };
  };
  const call = async (code: string): Promise<unknown> => {
    const api = createRpcClient<PrismaClient>({ endpoint: `${blog.url}/api/rpc`, headers: { 'X-User-Id': '1' } });
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a page of our own
    return (await new Function('api', `return ${code};`)(api)) as unknown;
  };

  it('has lines', () => {
    expect([READS.length, WRITES.length]).toEqual([24, 13]);
  });

  it.each(READS.filter(({ rest }) => rest.startsWith('GET ')))('reads $to: the same records in both styles', async ({ rest, rpc }) => {
    const { status, text } = await send(rest);
    expect([status, text]).toEqual([200, text]);
    const result = await call(rpc);
    const ids = idsOf((JSON.parse(text) as { data: unknown }).data);
    expect(ids.length).toBeGreaterThan(0);
    // A selection without the key cannot be compared by ids.
    if (!rpc.includes('select: { title')) expect(ids).toEqual(idsOf(result));
  });

  it.each(READS.filter(({ rest }) => !rest.startsWith('GET ')))('reads $to by RPC', async ({ rpc }) => {
    expect(await call(rpc)).toBeTruthy();
  });

  it.each(WRITES)('writes: $to', async ({ rest, body, status, rpc }) => {
    if (/^[A-Z]+ /.test(rest) && !rest.endsWith('operations')) expect(await send(rest, body)).toMatchObject({ status });
    expect(await call(rpc)).toBeTruthy();
  });
});

/** The first code of a cell. */
function codeIn(cell = ''): string {
  return /`([^`]+)`/.exec(cell)?.[1] ?? '';
}

function idsOf(data: unknown): readonly unknown[] {
  return [data].flat().map((one) => (one as { readonly id: unknown }).id);
}
