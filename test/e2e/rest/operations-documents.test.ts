import { operationsOf, ATOMIC, describeOperations, refusal, sendOperations } from './operations-suite.js';

describeOperations('documents of atomic operations', (suite) => {
  it.each<[unknown, string]>([
    [{ data: {} }, 'invalid-payload /data'],
    [{}, 'invalid-payload '],
    [{ 'atomic:operations': [] }, 'invalid-payload /atomic:operations'],
    [{ 'atomic:operations': {} }, 'invalid-payload /atomic:operations'],
    [{ ...operationsOf({}), data: null }, 'invalid-payload /data'],
    [{ ...operationsOf({}), included: [] }, 'invalid-payload /included'],
    [{ ...operationsOf({}), errors: [] }, 'invalid-payload /errors'],
    [{ ...operationsOf({}), 'atomic:results': [] }, 'invalid-payload /atomic:results'],
    [operationsOf(null), 'invalid-payload /atomic:operations/0'],
    ['[', 'invalid-payload '],
    [[], 'invalid-payload '],
  ])('AO-07: %j is rejected', async (body, expected) => {
    expect(refusal(await sendOperations(suite.app, body))).toEqual([400, expected]);
  });

  it('AO-07: may have meta, links, jsonapi and @-members', async () => {
    const body = { ...operationsOf({ op: 'remove', href: '/comment/1' }), 'meta': {}, 'links': {}, 'jsonapi': { version: '1.1' }, '@x': 1 };
    expect((await sendOperations(suite.app, body)).status).toBe(204);
  });

  const body = operationsOf({ op: 'remove', href: '/comment/1' });

  it.each(['application/vnd.api+json', 'application/json', ATOMIC, 'application/vnd.api+json;EXT=https://jsonapi.org/ext/atomic'])(
    'AO-01, AO-02, AO-03: accept %s',
    async (type) => {
      expect((await sendOperations(suite.app, body, { headers: { 'Content-Type': type } })).status).toBe(204);
    },
  );

  it.each([
    'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic/"',
    'application/vnd.api+json;ext="https://jsonapi.org/ext/Atomic"',
    'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic https://other.test"',
    'text/plain',
  ])('AO-01, AO-03: reject %s', async (type) => {
    expect(refusal(await sendOperations(suite.app, body, { headers: { 'Content-Type': type } }))).toEqual([
      415,
      'unsupported-media-type Content-Type',
    ]);
  });

  it.each(['*/*', 'application/*', 'application/vnd.api+json', ATOMIC, ''])('AO-04, AO-05: answer Accept: %s with ext', async (accept) => {
    const { status, headers } = await sendOperations(
      suite.app,
      operationsOf({ op: 'update', data: { type: 'tag', id: '1', attributes: {} } }),
      {
        headers: { Accept: accept },
      },
    );
    expect([status, headers['content-type'], headers['vary']]).toEqual([200, ATOMIC, expect.stringMatching(/^Accept\b/)]);
  });

  it('AO-03: have an extension that other URLs reject in Content-Type and ignore in Accept', async () => {
    const { status, text } = await suite.app.rest.get('/tag/1');
    const same = await suite.app.rest.get('/tag/1', { Accept: ATOMIC });
    expect([same.status, same.text]).toEqual([status, text]);
    const created = await suite.app.rest.post('/tag', { data: { type: 'tag', attributes: { name: 'x' } } }, { 'Content-Type': ATOMIC });
    expect(created.status).toBe(415);
  });

  it('AO-06: are accepted only by POST', async () => {
    const got = await sendOperations(suite.app, undefined, { method: 'GET' });
    expect([refusal(got), got.headers['allow']]).toEqual([[405, 'invalid-verb nowhere'], 'POST']);
    const overridden = await sendOperations(suite.app, body, { headers: { 'X-HTTP-Method-Override': 'PATCH' } });
    expect(refusal(overridden)).toEqual([400, 'bad-request X-HTTP-Method-Override']);
    expect((await sendOperations(suite.app, body, { headers: { 'X-HTTP-Method-Override': 'POST' } })).status).toBe(204);
  });
});
