import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ResourceApiModule } from 'nestjs-resource-api';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import { EXECUTOR_OF } from '../../../lib/options/tokens.js';
import { closeAll, endpoint, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';
import { ToyExecutor } from './toy-executor.js';

const POSTS = [
  { id: 1, title: 'Cherry', authorId: 2 },
  { id: 2, title: 'Apple', authorId: 2 },
  { id: 3, title: 'Banana', authorId: 1 },
];

describe.each(PLATFORMS)('a custom executor (%s)', (platform) => {
  afterEach(closeAll);

  async function start() {
    const toy = new ToyExecutor({ Post: POSTS });
    const api = ResourceApiModule.forRoot({
      schema: tinySchema,
      getClient: () => ({}),
      rest: { prefix: 'rest', endpoint },
      rpc: { prefix: 'rpc' },
    });
    const { http } = await startTinyApp(platform, [api], {
      build: (builder) => builder.overrideProvider(EXECUTOR_OF).useValue(() => toy),
    });
    return { toy, http };
  }

  it('returns the rows of a REST collection, and its total', async () => {
    const { toy, http } = await start();
    const { status, body } = await http.get('/rest/post').query({ 'filter[authorId]': '2', 'sort': 'title', 'page[limit]': '1' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [{ type: 'post', id: 2, attributes: { title: 'Apple' } }], meta: { total: 2 } });
    expect(toy.queries).toMatchObject([
      { kind: 'find', model: { model: 'Post' }, where: { kind: 'compare', operand: 2 }, page: { take: 1 } },
      { kind: 'count', where: { kind: 'compare', operand: 2 } },
    ]);
  });

  it('returns the rows of findMany of RPC, within the limits', async () => {
    const { toy, http } = await start();
    const q = JSON.stringify({
      where: { OR: [{ title: { contains: 'an' } }, { id: 1 }] },
      orderBy: { id: 'desc' },
      select: { title: true },
    });
    const { status, body } = await http.get('/rpc/post/findMany').query({ q });
    expect({ status, body }).toEqual({ status: 200, body: { data: [{ title: 'Banana' }, { title: 'Cherry' }] } });
    expect(toy.queries).toMatchObject([{ kind: 'find', rows: 'many', where: { kind: 'or' }, page: { take: DEFAULT_LIMITS.maxTake + 1 } }]);
  });

  it('has less than a hundred lines', () => {
    expect(readFileSync(new URL('toy-executor.ts', import.meta.url), 'utf8').split('\n').length).toBeLessThan(100);
  });
});
