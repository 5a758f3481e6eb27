import { describeWrites, refusalOf } from './write-suite.js';

const BODY = { data: { type: 'tag', attributes: { name: 'new' } } };
const JSON_API = 'application/vnd.api+json';

describeWrites('content negotiation', {}, (suite) => {
  const accept = (value: string) => suite.app.rest.get('/tag/1', { Accept: value });
  const send = (contentType: string) => suite.app.rest.post('/tag', BODY, { 'Content-Type': contentType });

  it.each([
    ['CN-12', `${JSON_API};profile="https://a.example/p"`],
    ['CN-08', `${JSON_API};charset=utf-8, ${JSON_API}`],
    ['CN-08, a weight is no parameter', `${JSON_API};q=0.3`],
    ['CN-15', '*/*'],
    ['CN-15', 'application/*'],
    ['CN-15', 'application/json'],
    ['CN-15', 'APPLICATION/VND.API+JSON'],
  ])('%s: answers Accept: %s', async (_, value) => {
    expect((await accept(value)).status).toBe(200);
  });

  it.each([
    ['CN-09', `${JSON_API};charset=utf-8`],
    ['CN-10', `${JSON_API};ext="https://jsonapi.org/ext/atomic"`],
    ['CN-10', `${JSON_API};ext="https://a.example/x", ${JSON_API};charset=utf-8`],
  ])('%s: answers 406 to Accept: %s', async (_, value) => {
    expect(refusalOf(await accept(value))).toEqual([406, 'not-acceptable Accept']);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('CN-09: writes nothing if the response would be a 406', async () => {
    const response = await suite.app.rest.post('/tag', BODY, { Accept: `${JSON_API};charset=utf-8` });
    expect(response.status).toBe(406);
    expect(suite.database.statements.all).toEqual([]);
  });

  it.each([
    ['CN-12', `${JSON_API}; profile="https://a.example/p"`],
    ['D1', 'application/json'],
    ['D1', 'application/json; charset=utf-8'],
  ])('%s: accepts a body in %s', async (_, value) => {
    expect((await send(value)).status).toBe(201);
  });

  it.each([
    ['CN-06', `${JSON_API}; charset=utf-8`],
    ['CN-07', `${JSON_API}; ext="https://jsonapi.org/ext/atomic"`],
    ['CN-16', 'text/plain'],
    ['CN-16', 'text/plain; application/json'],
    ['CN-16', 'application/x-www-form-urlencoded'],
    ['CN-16', 'multipart/form-data; boundary=x'],
    ['CN-16', 'application/merge-patch+json'],
  ])('%s: answers 415 to a body in %s, and writes nothing (CSRF)', async (_, value) => {
    expect(refusalOf(await send(value))).toEqual([415, 'unsupported-media-type Content-Type']);
    expect(suite.database.statements.all).toEqual([]);
  });
});

describeWrites('strict content negotiation', { rest: { strict: true } }, (suite) => {
  it.each(['application/json', 'text/plain'])('D1: answers 415 to a body in %s', async (value) => {
    expect(refusalOf(await suite.app.rest.post('/tag', BODY, { 'Content-Type': value }))).toEqual([
      415,
      'unsupported-media-type Content-Type',
    ]);
  });
});
