import { reactAdminDataProvider, type ResourceApiDataProvider } from '../../../lib/react-admin/index.js';
import { describeAdmin } from './admin-apps.js';
import { usedDataProvider } from './used-data-provider.js';

const PAGE = { page: 1, perPage: 5 };
const BY_ID = { field: 'id', order: 'ASC' } as const;

describeAdmin('react-admin', (suite) => {
  let provider: ResourceApiDataProvider;
  const environment = process.env['NODE_ENV'];
  beforeAll(() => {
    // React-admin checks the form of results in development alone.
    process.env['NODE_ENV'] = 'development';
    provider = usedDataProvider(reactAdminDataProvider(suite.clientFor()));
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterAll(() => {
    process.env['NODE_ENV'] = environment;
    jest.restoreAllMocks();
  });

  async function idsOf(resource: string, filter: object, sort: { field: string; order: 'ASC' | 'DESC' } = BY_ID): Promise<unknown[]> {
    const { data } = await provider.getList(resource, { filter, sort, pagination: { page: 1, perPage: 40 } });
    return data.map(({ id }) => id as unknown);
  }

  it('lists pages with the total', async () => {
    const { data, total } = await provider.getList('post', { pagination: { page: 2, perPage: 5 }, sort: BY_ID, filter: {} });
    expect(data.map(({ id }) => id as unknown)).toEqual([6, 7, 8, 9, 10]);
    expect(total).toBe(12);
    expect(data[0]).toMatchObject({ title: 'Post 06', authorId: 3, rating: '2.5', createdAt: '2026-01-06T12:00:00.000Z' });
    expect(await provider.getList('tag', {})).toMatchObject({ total: 5 });
  });

  it.each<[field: string, order: 'ASC' | 'DESC', ids: unknown[]]>([
    ['title', 'DESC', [12, 11, 10]],
    ['author.name', 'ASC', [1, 4, 7]],
    ['author.email', 'DESC', [2, 5, 8]],
    ['comments', 'DESC', [1, 2, 3]],
    ['author.id', 'DESC', [3, 6, 9]],
  ])('sorts by %s, %s', async (field, order, ids) => {
    const { data } = await provider.getList('post', { pagination: { page: 1, perPage: 3 }, sort: { field, order }, filter: {} });
    expect(data.map(({ id }) => id as unknown)).toEqual(ids);
  });

  it.each<[filter: object, ids: unknown[]]>([
    [{ title: 'Post 03' }, [3]],
    [{ title_contains: '1' }, [1, 10, 11, 12]],
    [{ title: { startsWith: 'Post 1' } }, [10, 11, 12]],
    [{ content_contains: '100% true_s', id_lt: 4 }, [1, 2, 3]],
    [{ content: { contains: 'Text%story', mode: 'insensitive' } }, []],
    [{ author: { name_contains: 'Grace' }, published: true }, [2, 5, 8, 11]],
    [{ 'author.name_contains': 'Grace', 'id': [2, 3, 5] }, [2, 5]],
    [{ authorId: '3', id_lt: '7' }, [3, 6]],
    [{ author: 3, id_gte: 9 }, [9, 12]],
    [{ tags: [1] }, [1, 4]],
    [{ tags: { name: 'nest' } }, [2, 3]],
    [{ tags: { none: {} }, id_lte: 6 }, [5, 6]],
    [{ reviewer: null, id_lt: 4 }, [1, 3]],
    [{ content: null }, [4, 8, 12]],
    [{ rating_gt: '5' }, [9]],
    [{ createdAt_lte: '2026-01-02T12:00:00Z' }, [1, 2]],
    [{ keywords: 'gamma' }, [3, 7, 11]],
    [{ keywords_hasSome: ['gamma'], title: undefined }, [3, 7, 11]],
    [{ keywords_isEmpty: 'true', id_lt: 9 }, [4, 8]],
    [{ keywords: { isEmpty: true }, id_lt: 9 }, [4, 8]],
    [{ keywords_isEmpty: 'false', id_lt: 9 }, [1, 2, 3, 5, 6, 7]],
    [{ keywords: { isEmpty: false }, id_lt: 9 }, [1, 2, 3, 5, 6, 7]],
    [{ OR: [{ id: 1 }, { title_endsWith: '12' }] }, [1, 12]],
    [{ q: 'POST 11' }, [11]],
    [{ q: '', id: 4 }, [4]],
  ])('filters by %j', async (filter, ids) => {
    expect(await idsOf('post', filter)).toEqual(ids);
  });

  it('searches only in texts that the caller may filter by contains', async () => {
    expect(await idsOf('user', { q: 'ada' })).toEqual([1]);
    expect(await idsOf('order', { q: 'a-' })).toEqual(['1', '2', '3', '9007199254740993']);
    expect(await idsOf('comment', { q: 'comment 2' })).toEqual([2, 20]);
  });

  it('accepts compound ids in the format of REST in every method', async () => {
    const ids = ['de_odd/ä b\\\\\\_c,d', 'en_greeting', 'en_with\\_divider', 'en\\_GB_with\\_divider'];
    expect((await idsOf('translation', {})).sort()).toEqual([...ids].sort());
    expect((await provider.getMany('translation', { ids: [...ids, 'no', 'xx_yy'] })).data.map(({ id }) => id as unknown)).toEqual(ids);
    for (const id of ids) expect((await provider.getOne('translation', { id })).data).toMatchObject({ id });
    expect(await idsOf('translation', { id: ['en_greeting', 'en\\_GB_with\\_divider'] })).toEqual([
      'en_greeting',
      'en\\_GB_with\\_divider',
    ]);
    const { data: created } = await provider.create('translation', { data: { locale: 'a_b', key: 'c\\d', text: 'x' } });
    expect(created).toEqual({ id: 'a\\_b_c\\\\d', locale: 'a_b', key: 'c\\d', text: 'x' });
    const changed = await provider.update('translation', { id: 'a\\_b_c\\\\d', data: { ...created, text: 'y' }, previousData: created });
    expect(changed.data).toEqual({ ...created, text: 'y' });
    expect((await provider.delete('translation', { id: created.id, previousData: created })).data).toMatchObject({ id: created.id });
    expect(await idsOf('exchangeRate', { currency: 'CHF' }, { field: 'day', order: 'DESC' })).toEqual([
      'CHF_2026-01-02T00:00:00.000Z',
      'CHF_2026-01-01T00:00:00.000Z',
    ]);
    const { data: lines } = await provider.getManyReference('orderLine', {
      target: 'orderId',
      id: '9007199254740993',
      pagination: PAGE,
      sort: { field: 'quantity', order: 'DESC' },
      filter: {},
    });
    expect(lines.map(({ quantity }) => quantity as unknown)).toEqual([5, 2, 1]);
    expect(lines[0]?.id).toBe('9007199254740993_0d6f5a1e-7b7c-4c3e-9a53-000000000003');
    expect((await provider.updateMany('translation', { ids, data: { text: 'same' } })).data).toEqual(ids);
    expect((await provider.deleteMany('translation', { ids })).data).toEqual(ids);
    expect(await idsOf('translation', {})).toEqual([]);
  });

  it('returns records of more ids than one request may have', async () => {
    const names = Array.from({ length: 95 }, (_, index) => ({ name: `many ${index}` }));
    await suite.database.prisma.tag.createMany({ data: names });
    const { data: first } = await provider.getList('tag', { pagination: { page: 1, perPage: 40 }, sort: BY_ID });
    const last = Number(first[0]?.id) + 99;
    const ids = Array.from({ length: 100 }, (_, index) => last - index);
    const { data } = await provider.getMany('tag', { ids: [...ids, ids[0] ?? 0, 'x', 0] });
    expect(data.map(({ id }) => id as unknown)).toEqual([...ids, ids[0]]);
    expect((await provider.deleteMany('tag', { ids: ids.slice(0, 95) })).data).toHaveLength(95);
    expect(await provider.getList('tag', {})).toMatchObject({ total: 5 });
    const texts = Array.from({ length: 45 }, (_, index) => ({ locale: 'x_x', key: `${index}_`, text: 'x' }));
    await suite.database.prisma.translation.createMany({ data: texts });
    const compound = texts.map(({ key }) => `x\\_x_${key.replace('_', '\\_')}`);
    expect((await provider.getMany('translation', { ids: compound })).data.map(({ id }) => id as unknown)).toEqual(compound);
    expect((await provider.deleteMany('translation', { ids: compound })).data).toEqual(compound);
  }, 60_000);

  it.each<[resource: string, target: string, id: string | number, filter: object, ids: unknown[]]>([
    ['post', 'authorId', 3, {}, [3, 6, 9, 12]],
    ['post', 'author', '3', { title_contains: '1' }, [12]],
    ['post', 'reviewer', 1, { id_lt: 5 }, [2, 4]],
    ['post', 'tags', 2, {}, [1, 2]],
    ['comment', 'post.author', 3, { id_lt: 10 }, [3, 6, 9]],
    ['post', 'comments', 11, {}, [1]],
    ['refund', 'line', '1_0d6f5a1e-7b7c-4c3e-9a53-000000000001', {}, []],
  ])('gets the records of %s whose %s is %s', async (resource, target, id, filter, ids) => {
    const params = { target, id, filter, sort: BY_ID, pagination: { page: 1, perPage: 10 } };
    if (resource === 'refund') {
      await expect(provider.getManyReference(resource, params)).rejects.toMatchObject({ status: 404 });
      return;
    }
    const { data, total } = await provider.getManyReference(resource, params);
    expect(data.map((record) => record.id as unknown)).toEqual(ids);
    expect(total).toBe(ids.length);
  });

  it('creates, with relations by ids, and without empty inputs that have a default', async () => {
    const data = { title: 'New', authorId: 1, tags: [1, 3], category: 2, published: null, viewCount: null, content: null };
    const created = await provider.create('post', { data, meta: { ids: ['tags'] } });
    expect(created.data).toMatchObject({ title: 'New', tags: [1, 3], categoryId: 2, published: false, viewCount: 0, content: null });
    const changed = await provider.update('post', {
      id: created.data.id,
      data: { ...created.data, tags: [2], category: null },
      previousData: created.data,
      meta: { ids: ['tags'], include: { author: true } },
    });
    expect(changed.data).toMatchObject({ tags: [2], categoryId: null, author: { id: 1, name: 'Ada Lovelace' } });
  });

  it('updates what has changed, and reads if nothing has', async () => {
    const { data } = await provider.getOne('post', { id: '2' });
    expect((await provider.update('post', { id: 2, data, previousData: data })).data).toEqual(data);
    const changed = await provider.update('post', { id: 2, data: { ...data, title: 'Changed' }, previousData: data });
    expect(changed.data).toMatchObject({ id: 2, title: 'Changed', rating: data.rating as unknown });
    expect((await provider.updateMany('post', { ids: [1, '3'], data: { published: true } })).data).toEqual([1, 3]);
    expect(await idsOf('post', { published: true, id_lte: 3 })).toEqual([1, 2, 3]);
  });

  it('updates and deletes several records or none', async () => {
    await expect(provider.updateMany('tag', { ids: [5, 999], data: { name: 'x' } })).rejects.toMatchObject({ status: 404 });
    expect(await idsOf('tag', { name: 'x' })).toEqual([]);
    await expect(provider.deleteMany('tag', { ids: [5, 999] })).rejects.toMatchObject({ status: 404 });
    expect(await idsOf('tag', { id: 5 })).toEqual([5]);
    expect((await provider.delete('tag', { id: 5 })).data).toMatchObject({ id: 5, name: 'unused' });
  });
});
