import { describeWrites, refusalOf, tag, user } from './write-suite.js';

describeWrites('writes in strict mode', { rest: { strict: true } }, (suite) => {
  it('create with relationships, and ids as strings (D2, D6)', async () => {
    const relationships = { author: { data: user('1') }, tags: { data: [tag('1')] } };
    const { status, one } = await suite.app.rest.post('/post', { data: { type: 'post', attributes: { title: 'New' }, relationships } });
    expect([status, one.id, one.relationships['author']?.data]).toEqual([201, '13', { type: 'user', id: '1' }]);
    expect(one.attributes).not.toHaveProperty('authorId');
  });

  it.each([
    ['UP-01, D17: no id', { type: 'post' }, [400, 'invalid-payload /data']],
    ['ID-02: a number as the id', { type: 'post', id: 1 }, [400, 'invalid-payload /data/id']],
    ['D6: a foreign key', { type: 'post', id: '1', attributes: { authorId: 1 } }, [400, 'invalid-payload /data/attributes/authorId']],
    ['D18: the id as an attribute', { type: 'post', id: '1', attributes: { id: 1 } }, [400, 'invalid-payload /data/attributes/id']],
    [
      'ID-02: a number in linkage',
      { type: 'post', id: '1', relationships: { author: { data: user(1) } } },
      [400, 'invalid-payload /data/relationships/author/data/id'],
    ],
  ])('reject %s, before any SQL', async (_, data, refusal) => {
    expect(refusalOf(await suite.app.rest.patch('/post/1', { data }))).toEqual(refusal);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('D18: accept a client id only as the member id', async () => {
    expect((await suite.app.rest.post('/country', { data: { type: 'country', id: 'FR', attributes: { name: 'France' } } })).status).toBe(
      201,
    );
    const attribute = await suite.app.rest.post('/country', { data: { type: 'country', attributes: { code: 'IT', name: 'Italy' } } });
    expect(refusalOf(attribute)[1]).toBe('invalid-payload /data/attributes/code');
  });

  it('D14: answer 405 to linkage at the related URL', async () => {
    const response = await suite.app.rest.patch('/post/1/author', { data: user('2') });
    expect([...refusalOf(response), response.headers['allow']]).toEqual([405, 'invalid-verb nowhere', 'GET, HEAD, QUERY']);
  });

  it('DS-06, MN-05: ignore members that JSON:API does not define', async () => {
    const body = {
      '@context': 1,
      'foo': 1,
      'data': { 'type': 'tag', 'id': '1', 'bar': 1, 'attributes': { '@a': 1, 'name': 'x' }, '@b': 1 },
    };
    expect((await suite.app.rest.patch('/tag/1', body)).one.attributes).toEqual({ name: 'x' });
  });

  it('D5: have the code of the data layer in meta of errors', async () => {
    const response = await suite.app.rest.post('/country', { data: { type: 'country', id: 'DE', attributes: { name: 'x' } } });
    expect(response.errors[0]).toMatchObject({ status: '409', meta: { ormCode: 'P2002' } });
  });
});
