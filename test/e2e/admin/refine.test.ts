import type { CrudFilter, CrudSort, DataProvider } from '@refinedev/core';
import { HttpError, refineDataProvider } from '../../../lib/refine/index.js';
import { SPECIMEN } from '../../support/seed.js';
import { describeAdmin } from './admin-apps.js';

const BY_ID: readonly CrudSort[] = [{ field: 'id', order: 'asc' }];

describeAdmin('refine', (suite) => {
  let provider: Required<DataProvider>;
  beforeAll(() => {
    provider = refineDataProvider(suite.clientFor());
  });

  async function idsOf(resource: string, filters: CrudFilter[], sorters = [...BY_ID]): Promise<unknown[]> {
    const { data } = await provider.getList({ resource, filters, sorters, pagination: { mode: 'off' } });
    return data.map(({ id }) => id);
  }

  it.each<[pagination: { mode?: 'server' | 'client' | 'off'; currentPage?: number; pageSize?: number }, ids: number[]]>([
    [{}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [{ mode: 'server', currentPage: 2, pageSize: 5 }, [6, 7, 8, 9, 10]],
    [{ mode: 'client', currentPage: 2, pageSize: 5 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    [{ mode: 'off' }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
  ])('lists the page %j with the total', async (pagination, ids) => {
    const { data, total } = await provider.getList({ resource: 'post', pagination, sorters: [...BY_ID] });
    expect(data.map(({ id }) => id)).toEqual(ids);
    expect(total).toBe(12);
  });

  it('rejects with the limit if there are more records than one read may return', async () => {
    await suite.database.prisma.tag.createMany({ data: Array.from({ length: 40 }, (_, index) => ({ name: `tag ${index}` })) });
    await expect(provider.getList({ resource: 'tag', pagination: { mode: 'off' } })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('maxTake') as string,
    });
  });

  it('sorts by several fields, and by those of related records', async () => {
    expect(
      await idsOf(
        'post',
        [{ field: 'id', operator: 'lte', value: 6 }],
        [
          { field: 'author.name', order: 'desc' },
          { field: 'id', order: 'desc' },
        ],
      ),
    ).toEqual([5, 2, 6, 3, 4, 1]);
  });

  it.each<[field: string, operator: string, value: unknown, ids: unknown[]]>([
    ['title', 'eq', 'Post 03', [3]],
    ['title', 'eqs', 'post 03', []],
    ['id', 'eq', '3', [3]],
    ['id', 'ne', 3, [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ['title', 'nes', 'Post 03', [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ['id', 'lt', 3, [1, 2]],
    ['id', 'lte', '3', [1, 2, 3]],
    ['id', 'gt', 11, [12]],
    ['createdAt', 'gte', '2026-01-11', [11, 12]],
    ['id', 'in', ['2', 4], [2, 4]],
    ['id', 'nin', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [11, 12]],
    ['author.name', 'contains', 'ADA', [1, 4, 7, 10]],
    ['author.name', 'ncontains', 'a', []],
    ['title', 'containss', 'post', []],
    ['title', 'containss', 'Post 1', [10, 11, 12]],
    ['title', 'ncontainss', 'Post 0', [10, 11, 12]],
    ['title', 'startswith', 'post 1', [10, 11, 12]],
    ['title', 'startswiths', 'post 1', []],
    ['title', 'nstartswith', 'post 0', [10, 11, 12]],
    ['title', 'nstartswiths', 'Post 0', [10, 11, 12]],
    ['title', 'endswith', 'ST 02', [2]],
    ['title', 'endswiths', 'st 02', [2]],
    ['id', 'between', [3, '5'], [3, 4, 5]],
    ['id', 'nbetween', [2, 11], [1, 12]],
    ['content', 'null', true, [4, 8, 12]],
    ['category', 'nnull', true, [1, 2, 3, 4, 5]],
    ['keywords', 'ina', ['alpha', 'beta', 'gamma'], [3, 7, 11]],
    ['keywords', 'nina', ['alpha'], [4, 8, 12]],
    ['tags', 'in', [1], [1, 4]],
    ['tags', 'ina', [1, 2], [1]],
    ['content', 'contains', '100% TRUE_s', [1, 2, 3, 5, 6, 7, 9, 10, 11]],
    ['content', 'contains', 'Text%', []],
    ['q', 'contains', 'post 11', [11]],
    ['title', 'nendswith', '', []],
    ['title', 'nendswiths', '1', [2, 3, 4, 5, 6, 7, 8, 9, 10, 12]],
    ['title', 'eq', undefined, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
  ])('filters by %s %s %j', async (field, operator, value, ids) => {
    expect(await idsOf('post', [{ field, operator, value } as CrudFilter])).toEqual(ids);
  });

  it('combines filters by and, or', async () => {
    const filters: CrudFilter[] = [
      { field: 'authorId', operator: 'eq', value: 1 },
      {
        operator: 'or',
        value: [
          { field: 'id', operator: 'lt', value: 3 },
          {
            operator: 'and',
            value: [
              { field: 'published', operator: 'eq', value: 'true' },
              { field: 'id', operator: 'gte', value: 8 },
            ],
          },
        ],
      },
    ];
    expect(await idsOf('post', filters)).toEqual([1, 10]);
  });

  it.each<[field: string, operator: string, value: unknown, message: RegExp]>([
    ['title', 'like', 'x', /'like'/],
    ['title', 'constructor', 'x', /'constructor'/],
    ['title', 'nor', 'x', /'nor'/],
    ['title', 'ina', ['x'], /'ina' is for lists/],
    ['id', 'between', [1], /'between' takes two values/],
    ['passwordHash', 'contains', '$2b', /passwordHash/],
    ['author.passwordHash', 'startswith', '$2b', /passwordHash/],
    ['__proto__', 'eq', 1, /./],
    ['title', 'eq', { raw: '1' }, /raw/],
  ])('rejects %s %s %j', async (field, operator, value, message) => {
    const list = provider.getList({ resource: 'post', filters: [{ field, operator, value } as CrudFilter] });
    await expect(list).rejects.toMatchObject({ name: 'HttpError', statusCode: 400, message: expect.stringMatching(message) as string });
  });

  it('reads one and several records by keys of any kind', async () => {
    expect((await provider.getOne({ resource: 'post', id: '2', meta: { include: { author: true } } })).data).toMatchObject({
      id: 2,
      author: { id: 2 },
    });
    await expect(provider.getOne({ resource: 'post', id: 'x' })).rejects.toMatchObject({ statusCode: 404 });
    const ids = ['en\\_GB_with\\_divider', 'en_greeting'];
    expect((await provider.getMany({ resource: 'translation', ids: [...ids, 'no'] })).data.map(({ id }) => id)).toEqual(ids);
    const many = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect((await provider.getMany({ resource: 'post', ids: many })).data.map(({ id }) => id)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
  });

  it('creates, updates and deletes', async () => {
    const { data: created } = await provider.create({ resource: 'tag', variables: { name: 'new' } });
    const id = Number(created.id);
    expect((await provider.update({ resource: 'tag', id, variables: { id, name: 'newer' } })).data).toEqual({ id, name: 'newer' });
    expect((await provider.deleteOne({ resource: 'tag', id })).data).toEqual({ id, name: 'newer' });
    const { data: specimen } = await provider.getOne({ resource: 'specimen', id: SPECIMEN.extreme });
    const { data: copy } = await provider.create({ resource: 'specimen', variables: { ...specimen, id: undefined } });
    expect(copy).toEqual({ ...specimen, id: copy.id });
  });

  it('creates, updates and deletes several records or none', async () => {
    const { data } = await provider.createMany({ resource: 'tag', variables: [{ name: 'a' }, { name: 'b' }] });
    const ids = data.map(({ id }) => Number(id));
    await expect(provider.createMany({ resource: 'tag', variables: [{ name: 'c' }, { name: 'a' }] })).rejects.toMatchObject({
      errors: { name: /./ },
    });
    expect(await idsOf('tag', [{ field: 'name', operator: 'in', value: ['a', 'b', 'c'] }])).toEqual(ids);
    expect((await provider.updateMany({ resource: 'post', ids: [1, 2], variables: { tags: ids } })).data).toHaveLength(2);
    expect(await idsOf('post', [{ field: 'tags', operator: 'ina', value: ids }])).toEqual([1, 2]);
    expect((await provider.deleteMany({ resource: 'tag', ids })).data.map(({ id }) => id)).toEqual(ids);
    await expect(provider.deleteMany({ resource: 'tag', ids: [5, 99] })).rejects.toMatchObject({ statusCode: 404 });
  });

  it('sends custom requests to the API, and to no other server', async () => {
    const apiUrl = provider.getApiUrl();
    expect(apiUrl).toBe(suite.endpoint);
    const payload = { where: { id: 1 }, args: { note: 'Ready' } };
    expect((await provider.custom({ url: `${apiUrl}/post/publish`, method: 'post', payload })).data).toMatchObject({
      id: 1,
      content: 'Ready',
    });
    const query = { q: { where: { id: 3 }, select: { createdAt: true } } };
    expect((await provider.custom({ url: 'post/findUnique', method: 'get', query })).data).toEqual({
      createdAt: '2026-01-03T12:00:00.000Z',
    });
    const closed = provider.custom({ url: 'order/count', method: 'get', headers: { 'X-Grants': 'none' } });
    await expect(closed).rejects.toMatchObject({ statusCode: 400 });
    const publish = { url: 'post/publish', method: 'post', payload: { where: { id: 1 }, args: { note: '' } } } as const;
    await expect(provider.custom(publish)).rejects.toMatchObject({ errors: { note: /./ } });
    for (const url of [
      'http://evil.test/x',
      '//evil.test/x',
      '/etc',
      '../rest/post',
      'post/../../x',
      'HTTPS:evil',
      '\\\\evil',
      `${apiUrl}/../x`,
      '%2e%2e/%2e%2e/admin/delete',
      'post/.%2E/..',
      'post/%2e%2E/.%2e/x',
      '.\t./x',
      'post\\..\\..\\x',
      'post%2f..%2f..%2fx',
      `${apiUrl}/%2e%2e/x`,
    ]) {
      suite.requests.length = 0;
      await expect(provider.custom({ url, method: 'get' })).rejects.toThrow(HttpError);
      expect(suite.requests).toEqual([]);
    }
    await expect(provider.custom({ url: 'post/count', method: 'get', sorters: [...BY_ID] })).rejects.toThrow(/sorters/);
  });

  it('sends values without a JSON type in the format of records', async () => {
    const id = 9_007_199_254_740_993n;
    const query = { q: { where: { id }, select: { id: true } } };
    expect((await provider.custom({ url: 'order/findUnique', method: 'get', query })).data).toEqual({ id: String(id) });
    const payload = { where: { id: SPECIMEN.bare }, data: { bigInt: id, bytes: new Uint8Array([1, 2]) } };
    const { data } = await provider.custom({ url: 'specimen/update', method: 'patch', payload });
    expect(data).toMatchObject({ bigInt: String(id), bytes: 'AQI=' });
  });

  it('aborts by the signal of the query', async () => {
    const queryContext = { signal: AbortSignal.abort(new Error('gone')), queryKey: [] } as never;
    await expect(provider.getList({ resource: 'post', meta: { queryContext } })).rejects.toThrow('gone');
    await expect(provider.getOne({ resource: 'post', id: 1, meta: { queryContext } })).rejects.toThrow('gone');
    await expect(provider.custom({ url: 'post/count', method: 'get', meta: { queryContext } })).rejects.toThrow('gone');
  });
});
