import { HttpError, reactAdminDataProvider, type ResourceApiDataProvider } from '../../../lib/react-admin/index.js';
import { SPECIMEN } from '../../support/seed.js';
import { describeAdmin } from './admin-apps.js';

describeAdmin('values and errors of admin interfaces', (suite) => {
  let provider: ResourceApiDataProvider;
  beforeAll(() => {
    provider = reactAdminDataProvider(suite.clientFor());
  });

  it.each(Object.entries(SPECIMEN))('are written back unchanged: %s', async (_, id) => {
    const stored = await suite.database.prisma.specimen.findUniqueOrThrow({ where: { id } });
    const { data: record } = await provider.getOne('specimen', { id });
    // Forms, caches and addresses of pages copy records as JSON.
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
    const { data: copy } = await provider.create('specimen', { data: { ...record, id: undefined } });
    const copied = await suite.database.prisma.specimen.findUniqueOrThrow({ where: { id: copy.id as number } });
    // NULL of a Json column is written as NULL, for which Prisma's input needs a constant.
    expect(copied).toEqual({ ...stored, id: copied.id });
    expect(copy).toEqual({ ...record, id: copy.id as unknown });
  });

  it('are texts if JSON numbers cannot represent them', async () => {
    const { data } = await provider.getOne('specimen', { id: SPECIMEN.extreme });
    expect(data).toMatchObject({
      bigInt: '9223372036854775807',
      optionalDecimal: '-99999999999999999999.9999999999',
      decimal: '12345678901234567890.0123456789',
      dateTime: '0001-01-01T00:00:00.000Z',
      date: '2026-01-02',
      float: 1.5e308,
      json: { '': null },
    });
    const { data: list } = await provider.getList('specimen', { filter: { bigInt: '9223372036854775807', date: '2026-01-02' } });
    expect(list).toHaveLength(1);
    const query = { filter: { decimal: '12345678901234567890.0123456789', bytes: data.bytes as string } };
    expect(await provider.getList('specimen', query)).toMatchObject({ total: 1 });
  });

  it('are read from inputs', async () => {
    const data = { bigInt: '-5', optionalInt: '7', optionalBoolean: 'true', optionalDecimal: 2.5, date: '2026-03-04', bytes: 'AQI=' };
    const { data: changed } = await provider.update('specimen', { id: '2', data, previousData: { id: 2 } });
    expect(changed).toMatchObject({ ...data, optionalInt: 7, optionalBoolean: true, optionalDecimal: '2.5' });
  });

  it('are written if they differ only by type', async () => {
    const { data: full } = await provider.getOne('specimen', { id: SPECIMEN.full });
    let before = { ...full, optionalString: null, optionalFloat: null, json: '1', optionalJson: 'null' };
    await provider.update('specimen', { id: SPECIMEN.full, data: before, previousData: full });
    const changes = { optionalString: 'null', json: 1, optionalJson: null };
    const data = { ...before, ...changes };
    expect((await provider.update('specimen', { id: SPECIMEN.full, data, previousData: before })).data).toMatchObject(changes);
    before = { ...before, json: '{"a":1}' };
    const json = { a: 1 };
    expect((await provider.update('specimen', { id: SPECIMEN.full, data: { ...before, json }, previousData: before })).data).toMatchObject({
      json,
    });
  });

  it.each<[field: string, text: string]>([
    ['dateTime', '2026-02-31'],
    ['dateTime', '5'],
    ['date', '2026-02-31'],
    ['date', '2026-02-03T10:00'],
    ['float', '9007199254740993'],
    ['int', '9007199254740993'],
    ['int', '1e3'],
  ])('of %s like %j are rejected by the API, in updates and filters', async (field, text) => {
    const update = provider.update('specimen', { id: 2, data: { [field]: text }, previousData: { id: 2 } });
    await expect(update).rejects.toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) as string } } });
    await expect(provider.getList('specimen', { filter: { [field]: text } })).rejects.toMatchObject({ status: 400 });
  });

  it('of times without a time zone are read in the time zone of the user', async () => {
    const dateTime = '2026-02-03T10:00';
    const { data } = await provider.update('specimen', { id: 2, data: { dateTime }, previousData: { id: 2 } });
    expect(data).toMatchObject({ dateTime: new Date(2026, 1, 3, 10).toISOString() });
  });

  it('of ids match records only in the format of REST', async () => {
    for (const id of ['1e0', '0x1', '01', '1.0', '1 ', '0b1']) {
      await expect(provider.getOne('post', { id })).rejects.toMatchObject({ status: 404 });
      await expect(provider.delete('post', { id })).rejects.toMatchObject({ status: 404 });
      expect((await provider.getMany('post', { ids: [id] })).data).toEqual([]);
    }
    expect((await provider.getMany('post', { ids: ['1', '99999999999'] })).data).toMatchObject([{ id: 1 }]);
    expect((await provider.getMany('exchangeRate', { ids: ['CHF_2026-01-01'] })).data).toMatchObject([{ currency: 'CHF' }]);
    await expect(provider.getOne('exchangeRate', { id: 'CHF_foo 7' })).rejects.toMatchObject({ status: 404 });
    await expect(provider.getOne('exchangeRate', { id: 'CHF_2026-01-01' })).resolves.toMatchObject({ data: { currency: 'CHF' } });
  });

  it('of foreign keys are written if the record has the related record, too', async () => {
    const { data } = await provider.create('post', { data: { title: 'x', authorId: 2, author: { id: 1 } } });
    expect(data).toMatchObject({ authorId: 2 });
  });

  it.each(['author', 'authorId'])('of null for the required reference %s are rejected by the API', async (name) => {
    const params = { data: { title: 'x', [name]: null }, previousData: { id: 1, authorId: 1, author: { id: 1 } } };
    const refused = { status: 400, body: { errors: { [name]: expect.any(String) as string } } };
    await expect(provider.update('post', { id: 1, ...params })).rejects.toMatchObject(refused);
    await expect(provider.update('post', { id: 1, ...params, data: { [name]: null } })).rejects.toMatchObject(refused);
    await expect(provider.updateMany('post', { ids: [1, 2], data: { [name]: null } })).rejects.toMatchObject(refused);
    await expect(provider.create('post', { data: params.data })).rejects.toMatchObject({ status: 400 });
    expect((await provider.getOne('post', { id: 1 })).data).toMatchObject({ title: 'Post 01', authorId: 1 });
  });

  it('are reported by input if the API rejects them', async () => {
    const error: unknown = await provider
      .create('post', { data: { title: 5, authorId: 'x', rating: '9.5', tags: ['y'] } })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      name: 'HttpError',
      status: 400,
      statusCode: 400,
      body: { errors: { tags: expect.any(String) as string } },
    });
    const invalid: unknown = await provider.create('post', { data: { title: 5, authorId: 'x' } }).catch((e: unknown) => e);
    expect(invalid).toMatchObject({ status: 400, body: { message: expect.any(String) as string, errors: expect.any(Object) as object } });
    expect(Object.keys((invalid as HttpError).body.errors ?? {})).toContain('title');
    const user = { name: 'x', email: 'ada@example.com', passwordHash: 'x' };
    await expect(provider.create('tag', { data: { name: 'nest' } })).rejects.toMatchObject({ body: { errors: { name: /unique|exist/i } } });
    await expect(provider.create('user', { data: user })).rejects.toMatchObject({ status: 400 });
    await expect(provider.act('post', 'publish', { id: 1, data: { note: 'x' } })).rejects.toMatchObject({
      body: { errors: { note: /3/ } },
    });
  });

  it('of unknown records, resources, fields and actions are errors like those of the API', async () => {
    await expect(provider.getOne('post', { id: 99 })).rejects.toMatchObject({ status: 404 });
    await expect(provider.getOne('post', { id: '1; DROP TABLE "Post"' })).rejects.toMatchObject({ status: 404 });
    for (const name of ['nothing', '__proto__', 'constructor', 'then', '$transaction', '../post', 'refund', 'Post']) {
      await expect(provider.getList(name, {})).rejects.toMatchObject({ status: 404, message: `There is no resource '${name}'.` });
      await expect(provider.act('post', name, { id: 1 })).rejects.toMatchObject({ status: 404 });
      if (name === 'refund') continue;
      await expect(provider.getList('post', { sort: { field: name, order: 'ASC' } })).rejects.toMatchObject({ status: 400 });
      await expect(provider.getList('post', { filter: JSON.parse(`{"${name}": 1}`) as object })).rejects.toMatchObject({ status: 400 });
    }
    expect(suite.requests.filter((request) => !/^GET (?:\$describe|post\/\w+)$/.test(request))).toEqual([]);
  });

  it.each<[filter: object]>([
    [{ title: { raw: "' OR 1=1 --" } }],
    [{ title: { equals: { startsWith: 'P' } } }],
    [{ passwordHash: 'x' }],
    [{ author: { passwordHash_contains: '$2b' } }],
    [{ author: { passwordHash: { contains: '$2b' } } }],
    [{ OR: 1 }],
    [{ id: { gt: 'many' } }],
  ])('of the invalid filter %j are rejected by the API', async (filter) => {
    await expect(provider.getList('post', { filter })).rejects.toMatchObject({ name: 'HttpError', status: 400 });
  });

  it.each<[q: unknown, total: number]>([
    ['%', 9],
    ['_', 9],
    ["'; --", 0],
    ['100% true_story', 9],
    [12, 1],
    ['\\', 0],
    [{ contains: 'x' }, 0],
  ])('of the search %j are matched as plain text', async (q, total) => {
    expect(await provider.getList('post', { filter: { q, id_gt: 0 } })).toMatchObject({ total });
  });

  it('are not awaited after an abort signal', async () => {
    const aborted = AbortSignal.abort(new Error('gone'));
    const sort = { field: 'id', order: 'ASC' } as const;
    const reference = { target: 'author', id: 1, pagination: { page: 1, perPage: 1 }, sort, filter: {}, signal: aborted };
    expect(provider.supportAbortSignal).toBe(true);
    await expect(provider.getList('post', { signal: aborted })).rejects.toThrow('gone');
    await expect(provider.getOne('post', { id: 1, signal: aborted })).rejects.toThrow('gone');
    await expect(provider.getMany('post', { ids: [1], signal: aborted })).rejects.toThrow('gone');
    await expect(provider.getManyReference('post', reference)).rejects.toThrow('gone');
    expect((await provider.getOne('post', { id: 1 })).data).toMatchObject({ id: 1 });
  });

  it('of actions are returned as records and data', async () => {
    const { data } = await provider.act('post', 'publish', { id: '1', data: { note: 'Ready' } });
    expect(data).toMatchObject({ id: 1, content: 'Ready', rating: '2.5', createdAt: '2026-01-01T12:00:00.000Z' });
    expect(await provider.act('post', 'newest')).toEqual({ data: { newest: 12 } });
    await expect(provider.act('post', 'publish', { data: { note: 'Ready' } })).rejects.toMatchObject({ status: 404 });
  });
});
