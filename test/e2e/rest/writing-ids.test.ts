import { onDatabases } from '../../support/databases/this-database.js';
import { PRODUCT } from '../../support/seed.js';
import { describeWrites, refusalOf } from './write-suite.js';

const line = { type: 'orderLine', attributes: { unitPrice: '9.90' } };

describeWrites('ids in writes', {}, (suite) => {
  it('CR-09, D18: takes a client id where nothing else makes one, as the member and as the attribute', async () => {
    const member = await suite.app.rest.post('/country', { data: { type: 'country', id: 'FR', attributes: { name: 'France' } } });
    expect([member.status, member.one.id]).toEqual([201, 'FR']);
    const attribute = await suite.app.rest.post('/country', { data: { type: 'country', attributes: { code: 'IT', name: 'Italy' } } });
    expect([attribute.status, attribute.one.id]).toEqual([201, 'IT']);
    expect(attribute.headers['location']).toBe('http://api.test/api/rest/country/IT');
  });

  it('makes ids of its own kind: UUID, cuid, BigInt', async () => {
    const product = await suite.app.rest.post('/product', {
      data: { type: 'product', attributes: { sku: 'NEW-1', name: 'x', price: '1' } },
    });
    expect(product.one.id).toMatch(/^[\da-f-]{36}$/);
    const order = { type: 'order', attributes: { number: 'B-1', address: null, customerId: 4 } };
    expect((await suite.app.rest.post('/order', { data: order })).one.id).toEqual(expect.stringMatching(/^\d+$/));
    const warehouse = { type: 'warehouse', attributes: { name: 'x', countryCode: 'NL' } };
    expect((await suite.app.rest.post('/warehouse', { data: warehouse })).one.id).toEqual(expect.any(String));
  });

  it('updates and deletes by a BigInt id beyond the safe integers, every digit of it', async () => {
    const data = { type: 'order', id: '9007199254740993', attributes: { status: 'PAID' } };
    expect((await suite.app.rest.patch('/order/9007199254740993', { data })).one.id).toBe('9007199254740993');
    expect((await suite.app.rest.delete('/order/9007199254740993')).status).toBe(204);
    expect(await suite.database.prisma.order.count()).toBe(3);
  });

  it('creates, updates, links and deletes by a compound id of two foreign keys', async () => {
    const id = `1_${PRODUCT.globe}`;
    const created = await suite.app.rest.post('/orderLine', { data: { ...line, id } });
    expect([created.status, created.one.id]).toEqual([201, id]);
    expect((await suite.app.rest.patch(`/orderLine/${id}`, { data: { type: 'orderLine', id, attributes: { quantity: 4 } } })).status).toBe(
      200,
    );
    const linked = await suite.app.rest.patch('/refund/1/relationships/line', { data: { type: 'orderLine', id } });
    expect(linked.document.data).toEqual({ type: 'orderLine', id });
    expect((await suite.app.rest.delete(`/orderLine/${id}`)).status).toBe(204);
  });

  it('answers 404 to foreign keys in an id, and to a compound one, that refer to nothing', async () => {
    const { app } = suite;
    const unknown = await app.rest.post('/orderLine', { data: { ...line, id: `99_${PRODUCT.globe}` } });
    expect(refusalOf(unknown)).toEqual([404, 'not-found /data/id']);
    const attributes = { orderId: '2', productId: PRODUCT.globe };
    expect(refusalOf(await app.rest.patch('/refund/1', { data: { type: 'refund', id: 1, attributes } }))).toEqual([
      404,
      'not-found /data/attributes/orderId',
    ]);
    const known = { data: { type: 'refund', id: 1, attributes: { orderId: '3', productId: PRODUCT.globe } } };
    expect((await app.rest.patch('/refund/1', known)).status).toBe(200);
  });

  it('takes the parts of a compound id as relationships', async () => {
    const relationships = { order: { data: { type: 'order', id: '2' } }, product: { data: { type: 'product', id: PRODUCT.globe } } };
    const { one } = await suite.app.rest.post('/orderLine', { data: { ...line, relationships } });
    expect(one.id).toBe(`2_${PRODUCT.globe}`);
  });

  it('answers 404 to linkage by a compound id that does not exist, and 400 to what cannot be one', async () => {
    const link = (id: string): Promise<unknown> =>
      suite.app.rest.patch('/refund/1/relationships/line', { data: { type: 'orderLine', id } }).then(refusalOf);
    expect(await link(`4_${PRODUCT.globe}`)).toEqual([404, 'not-found /data']);
    expect(await link('4')).toEqual([400, 'invalid-id /data/id']);
    expect(await link(`4_${PRODUCT.globe}_1`)).toEqual([400, 'invalid-id /data/id']);
  });

  describe('a UUID in upper case', () => {
    const globe = PRODUCT.globe.toUpperCase();

    onDatabases('postgresql').it.each([
      ['in the URL', globe, PRODUCT.globe],
      ['in the body', PRODUCT.globe, globe],
    ])('UP-02: is the same id, %s', async (_, inUrl, inBody) => {
      const data = { type: 'product', id: inBody, attributes: { id: inBody, stock: 7 } };
      const { status, one } = await suite.app.rest.patch(`/product/${inUrl}`, { data });
      expect([status, one.id, one.attributes['stock']]).toEqual([200, PRODUCT.globe, 7]);
    });

    onDatabases('postgresql').it('is part of a compound id, as the member and as the attribute', async () => {
      const data = { ...line, id: `1_${PRODUCT.globe}`, attributes: { ...line.attributes, productId: globe } };
      const created = await suite.app.rest.post('/orderLine', { data });
      expect([created.status, created.one.id]).toEqual([201, `1_${PRODUCT.globe}`]);
      expect((await suite.app.rest.delete(`/orderLine/1_${globe}`)).status).toBe(204);
    });

    onDatabases('postgresql').it('links to the record that has it, once, and refers to it as a foreign key', async () => {
      const products = '/warehouse/wh-basel/relationships/products';
      const both = [PRODUCT.globe, globe].map((id) => ({ type: 'product', id }));
      expect((await suite.app.rest.patch(products, { data: both })).ids).toEqual([PRODUCT.globe]);
      const attributes = { ...line.attributes, orderId: '1', productId: globe };
      expect((await suite.app.rest.post('/orderLine', { data: { ...line, attributes } })).status).toBe(201);
    });

    onDatabases('postgresql', 'sqlite').it('is another id of plain text', async () => {
      const named = { name: 'x', countryCode: 'NL' };
      expect((await suite.database.prisma.warehouse.create({ data: { id: globe, ...named } })).id).toBe(globe);
      const data = { type: 'warehouse', id: PRODUCT.globe, attributes: { name: 'y' } };
      expect(refusalOf(await suite.app.rest.patch(`/warehouse/${globe}`, { data }))).toEqual([409, 'id-conflict /data/id']);
    });
  });

  onDatabases('postgresql').it('answers 400 to what cannot be a UUID, before any SQL', async () => {
    const { app, database } = suite;
    const data = { type: 'product', id: 'x' };
    expect(refusalOf(await app.rest.patch('/product/x', { data }))).toEqual([400, 'invalid-id nowhere']);
    expect(refusalOf(await app.rest.post('/warehouse/wh-basel/relationships/products', { data: [data] }))).toEqual([
      400,
      'invalid-id /data/0/id',
    ]);
    const attributes = { ...line.attributes, orderId: '1', productId: 'x' };
    expect(refusalOf(await app.rest.post('/orderLine', { data: { ...line, attributes } }))).toEqual([
      400,
      'invalid-value /data/attributes/productId',
    ]);
    expect(database.statements.queries).toEqual([]);
  });

  it.each([
    ['text with the divider in both parts', 'en\\_GB_with\\_divider'],
    ['text of slash, space, umlaut, backslash and comma', 'de_odd/ä b\\\\\\_c,d'],
  ])('updates by a compound id of %s', async (_, id) => {
    const data = { type: 'translation', id, attributes: { text: 'changed' } };
    expect((await suite.app.rest.patch(`/translation/${encodeURIComponent(id)}`, { data })).one).toMatchObject({
      id,
      attributes: { text: 'changed' },
    });
  });

  it('creates with a compound id of free text, and gives its Location back usable', async () => {
    const created = await suite.app.rest.post('/translation', {
      data: { type: 'translation', attributes: { locale: 'a_b', key: 'c/d é', text: 'x' } },
    });
    const path = String(created.headers['location']).replace('http://api.test/api/rest', '');
    expect((await suite.app.rest.get(path)).one).toEqual(created.one);
  });

  it('updates by a compound id with a date in it', async () => {
    const [{ id } = { id: '' }] = (await suite.app.rest.get('/exchangeRate?sort=currency,day')).many;
    const response = await suite.app.rest.patch(`/exchangeRate/${encodeURIComponent(String(id))}`, {
      data: { type: 'exchangeRate', id, attributes: { rate: '0.5' } },
    });
    expect(response.one).toMatchObject({ id, attributes: { rate: '0.5' } });
  });

  it('lets the id be echoed as an attribute, and answers 403 to a change of one that the server makes', async () => {
    const patch = (id: number): Promise<unknown> =>
      suite.app.rest.patch('/tag/1', { data: { type: 'tag', attributes: { id } } }).then(({ status }) => status);
    expect(await patch(1)).toBe(200);
    expect(await patch(77)).toBe(403);
  });

  it('changes an id that clients choose, and answers with the new one', async () => {
    const response = await suite.app.rest.patch('/country/NL', { data: { type: 'country', id: 'NL', attributes: { code: 'BE' } } });
    expect(response.one).toMatchObject({ id: 'BE', links: { self: 'http://api.test/api/rest/country/BE' } });
  });
});

describeWrites('external ids in writes', { resources: { User: { externalId: 'email' }, Category: { externalId: 'slug' } } }, (suite) => {
  it('links by them, and writes the foreign key that they stand for', async () => {
    const relationships = {
      author: { data: { type: 'user', id: 'grace@example.com' } },
      category: { data: { type: 'category', id: 'cooking' } },
    };
    const { one } = await suite.app.rest.post('/post', { data: { type: 'post', attributes: { title: 'New' }, relationships } });
    expect(one.relationships).toMatchObject(relationships);
    expect(await suite.database.prisma.post.findUnique({ where: { id: Number(one.id) } })).toMatchObject({ authorId: 2, categoryId: 5 });
  });

  it('links by one of them beside the foreign key of another relationship', async () => {
    const body = {
      data: {
        type: 'post',
        attributes: { title: 'x', reviewerId: 3, categoryId: null },
        relationships: { author: { data: { type: 'user', id: 'grace@example.com' } } },
      },
    };
    expect((await suite.app.rest.patch('/post/1', body)).status).toBe(200);
    expect(await suite.database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({
      authorId: 2,
      reviewerId: 3,
      categoryId: null,
    });
  });

  it('replaces, clears, adds and removes by them', async () => {
    expect(
      (await suite.app.rest.patch('/post/1/relationships/author', { data: { type: 'user', id: 'alan@example.com' } })).document.data,
    ).toEqual({
      type: 'user',
      id: 'alan@example.com',
    });
    expect((await suite.app.rest.patch('/post/1/relationships/category', { data: null })).document.data).toBeNull();
    const children = '/category/software/relationships/children';
    expect((await suite.app.rest.post(children, { data: [{ type: 'category', id: 'cooking' }] })).ids).toEqual([
      'databases',
      'languages',
      'cooking',
    ]);
    expect((await suite.app.rest.delete(children, { data: [{ type: 'category', id: 'databases' }] })).ids).toEqual([
      'languages',
      'cooking',
    ]);
  });

  it('answers 404 to one that does not exist', async () => {
    const response = await suite.app.rest.patch('/post/1/relationships/author', { data: { type: 'user', id: 'nobody@example.com' } });
    expect(refusalOf(response)).toEqual([404, 'not-found /data']);
    expect(response.errors[0]?.detail).toBe('There is no user with id nobody@example.com.');
  });

  it('creates and updates by it, and does not let the primary key be chosen', async () => {
    const created = await suite.app.rest.post('/category', { data: { type: 'category', id: 'new', attributes: { name: 'New' } } });
    expect([created.status, created.one.id]).toEqual([201, 'new']);
    const renamed = await suite.app.rest.patch('/category/new', { data: { type: 'category', id: 'new', attributes: { slug: 'newer' } } });
    expect(renamed.one.id).toBe('newer');
    const chosen = await suite.app.rest.post('/category', { data: { type: 'category', id: 'x', attributes: { id: 99, name: 'x' } } });
    expect(refusalOf(chosen)).toEqual([403, 'client-id-forbidden /data/attributes/id']);
  });
});
