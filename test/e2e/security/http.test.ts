import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { resourceOperation } from '../../../lib/index.js';
import { type Method, sendRequest } from '../../support/send-request.js';
import { expectNothingHidden } from './support/describe-attacks.js';
import { CLOSED_PARTS } from './support/exposure.js';
import { describeSecurity } from './support/security-suite.js';

const JSON_TYPE = 'application/json';
const REST_TYPE = 'application/vnd.api+json';

describeSecurity('HTTP', { resources: CLOSED_PARTS }, (suite) => {
  it.each([
    ['content', 'contains', '100% t', 9],
    ['content', 'icontains', 'E_S', 9],
    ['title', 'contains', '%', 0],
    ['title', 'contains', '_', 0],
    ['title', 'contains', '\\', 0],
    ['title', 'icontains', 'p%0', 0],
    ['title', 'startsWith', 'P%', 0],
    ['title', 'endsWith', '_1', 0],
    ['title', 'notContains', '%', 12],
    ['title', 'notStartsWith', '_', 12],
    ['author][name', 'contains', '%', 0],
  ])('21. treats wildcards of SQL as plain characters · filter[%s$%s]=%s', async (field, operator, text, count) => {
    const { many } = await suite.app.rest.get(`/post?filter[${field}$${operator}]=${encodeURIComponent(text)}`);
    expect(many).toHaveLength(count);
  });

  it.each(['contains', 'startsWith', 'endsWith'])(
    '21. passes the operand of %s in RPC to the data client, with its wildcards',
    async (operator) => {
      const where = { title: { [operator]: '%' } };
      const expected = await suite.database.prisma.post.count({ where });
      expect((await suite.app.rpc.call('post/count', { where })).data).toBe(expected);
      expect((await suite.app.rpc.sequential([{ model: 'post', op: 'count', args: { where } }])).data).toEqual([expected]);
    },
  );

  it.each([
    ['Host', { Host: 'evil.example' }],
    ['X-Forwarded-Host', { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '666' }],
    ['Forwarded', { Forwarded: 'host=evil.example;proto=https' }],
    ['X-Original-URL', { 'X-Original-URL': '/evil.example', 'X-Rewrite-URL': '/evil.example' }],
    ['Origin and Referer', { Origin: 'http://evil.example', Referer: 'http://evil.example/' }],
  ])('22. does not use %s in links', async (_, headers) => {
    for (const path of ['/user', '/user/1', '/post/1/relationships/author', '/post?include=author&page[limit]=1', '/nothing']) {
      const { text } = await suite.app.rest.get(path, headers);
      expect(text).not.toContain('evil.example');
    }
    const body = { data: { type: 'category', attributes: { slug: 'x', name: 'x' } } };
    const created = await suite.app.rest.post('/category', body, headers);
    expect(created.headers['location']).toMatch(/^http:\/\/api\.test\/api\/rest\/category\/\d+$/);
  });

  it.each([
    ['create', '{"data":{"slug":"x","name":"x"}}'],
    ['createMany', '{"data":[{"slug":"x","name":"x"}]}'],
    ['update', '{"where":{"id":1},"data":{"name":"x"}}'],
    ['updateMany', '{"where":{},"data":{"name":"x"}}'],
    ['upsert', '{"where":{"id":1},"create":{"slug":"x","name":"x"},"update":{"name":"x"}}'],
    ['delete', '{"where":{"id":5}}'],
    ['deleteMany', '{"where":{}}'],
  ])('23. changes nothing by GET or HEAD · category/%s', async (operation, args) => {
    const path = `/category/${operation}?q=${encodeURIComponent(args)}`;
    const attempts: readonly [Method, Record<string, string>][] = [
      ['GET', {}],
      ['HEAD', {}],
      ['GET', { 'X-HTTP-Method-Override': 'DELETE' }],
      ['GET', { 'X-HTTP-Method-Override': 'POST' }],
      ['HEAD', { 'X-HTTP-Method-Override': 'PATCH' }],
    ];
    for (const [method, headers] of attempts) {
      expect((await suite.app.rpc.send({ method, path, headers })).status).toBe(400);
    }
    const batch = encodeURIComponent(`[{"model":"category","op":"${operation}","args":${args}}]`);
    expect((await suite.app.rpc.send({ method: 'GET', path: `/$transaction/sequential?q=${batch}` })).status).toBe(400);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('23. deletes nothing by GET · REST', async () => {
    for (const headers of [{ 'X-HTTP-Method-Override': 'DELETE' }, { 'X-Method-Override': 'DELETE' }, {}]) {
      const answer = await suite.app.rest.get('/category/5', headers);
      expect(answer.status).toBe(200);
      expect((await suite.app.rest.get('/category/5?_method=DELETE', headers as Record<string, string>)).status).toBeLessThan(401);
    }
    expect(suite.database.statements.writes).toEqual([]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'text/plain; charset=application/json',
    'application/json-patch+json',
    'text/plain, application/json',
  ])('23. rejects a body as %s, which a form could send', async (type) => {
    const { app, database } = suite;
    const attempts: readonly [Method, string, string][] = [
      ['POST', '/api/rest/category', '{"data":{"type":"category","attributes":{"slug":"x","name":"x"}}}'],
      ['PATCH', '/api/rest/category/1', '{"data":{"type":"category","id":1,"attributes":{"name":"x"}}}'],
      ['PATCH', '/api/rest/category/1/relationships/parent', '{"data":null}'],
      ['POST', '/api/rpc/category/create', '{"data":{"slug":"x","name":"x"}}'],
      ['PATCH', '/api/rpc/category/update', '{"where":{"id":1},"data":{"name":"x"}}'],
      ['POST', '/api/rpc/$transaction/sequential', '[{"model":"category","op":"deleteMany","args":{"where":{}}}]'],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await sendRequest(app.agent, { method, path, headers: { 'Content-Type': type }, body });
      expect([path, answer.status]).toEqual([path, 415]);
    }
    expect(database.statements.all).toEqual([]);
  });

  it('23. rejects a body without a type', async () => {
    const { url } = suite.app;
    for (const path of ['/api/rest/category', '/api/rpc/category/create', '/api/rpc/$transaction/sequential']) {
      const body = Buffer.from('{"data":{"slug":"x","name":"x"}}');
      const { status } = await fetch(url + path, { method: 'POST', body });
      expect([path, status]).toEqual([path, 415]);
    }
    expect(suite.database.statements.all).toEqual([]);
  });

  it.each([
    ['REST', 'POST', '/api/rest/category', REST_TYPE, '{"data":{"type":"category","attributes":{"slug":"late","name":"x"}}}'],
    ['RPC', 'POST', '/api/rpc/category/create', JSON_TYPE, '{"data":{"slug":"late","name":"x"}}'],
    ['batch', 'POST', '/api/rpc/$transaction/sequential', JSON_TYPE, '[{"model":"category","op":"count","args":{}}]'],
  ])('26. continues after a client has disconnected during a request · %s', async (_, method, path, type, body) => {
    const { app, database } = suite;
    const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    for (let round = 0; round < 10; round += 1) {
      // Within the head, the body and the response.
      await hangUp(app.url, head.slice(0, 40));
      await hangUp(app.url, head + body.slice(0, 10));
      await hangUp(app.url, head + body);
    }
    await setTimeout(50);
    const { status, ids } = await app.rest.get('/category?page[limit]=1&sort=id');
    expect([status, ids]).toEqual([200, [1]]);
    expect(await database.prisma.category.count({ where: { slug: 'late' } })).toBeLessThanOrEqual(1);
    await expectNoConnections(app.nest.getHttpServer() as Server);
    expectNothingHidden(suite.log.join('\n'), '');
  });
});

/** Rejects requests for the model `User`, and every operation of a batch on it. */
class NoUsers implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const operation = resourceOperation(context);
    const all = [operation, ...(operation?.batch ?? [])];
    return all.every((one) => one?.model !== 'User');
  }
}

describeSecurity('guards', { resources: CLOSED_PARTS, guards: [NoUsers] }, (suite) => {
  const SPELLINGS = [
    ['as it is', (path: string) => path],
    ['with a slash at its end', (path: string) => `${path}/`],
    ['with two slashes', (path: string) => path.replace('/user', '//user')],
    ['with two slashes in front', (path: string) => `/${path}`],
    ['in capitals', (path: string) => path.replace('/user', '/USER')],
    ['in mixed case', (path: string) => path.replace('/api', '/Api').replace('/user', '/uSeR')],
    ['percent-encoded', (path: string) => path.replace('/user', '/%75ser')],
    ['percent-encoded twice', (path: string) => path.replace('/user', '/%2575ser')],
    ['with an encoded slash', (path: string) => path.replace('/user', '%2Fuser')],
    ['with a semicolon', (path: string) => path.replace('/user', '/user;x=1')],
    ['with a semicolon in front', (path: string) => path.replace('/user', '/;/user')],
    ['with a dot', (path: string) => path.replace('/user', '/./user')],
    ['with two dots', (path: string) => path.replace('/user', '/x/../user')],
    ['with encoded dots', (path: string) => path.replace('/user', '/x/%2e%2e/user')],
    ['with a backslash', (path: string) => path.replace('/user', '\\user')],
    ['with a NUL at its end', (path: string) => `${path}%00`],
    ['with a space at its end', (path: string) => `${path}%20`],
    ['with a fragment', (path: string) => `${path}%23x`],
  ] as const;

  it.each(SPELLINGS)('24. are called for a path %s', async (_, spell) => {
    for (const path of ['/api/rest/user', '/api/rest/user/1', '/api/rest/user/1/posts', '/api/rest/user/1/relationships/posts']) {
      for (const method of ['GET', 'HEAD', 'DELETE', 'POST'] as const) {
        const { status } = await sendRequest(suite.app.agent, { method, path: spell(path) });
        expect([method, spell(path), status < 400]).toEqual([method, spell(path), false]);
      }
    }
    for (const operation of ['findMany', 'count', 'findFirst']) {
      for (const method of ['GET', 'HEAD', 'POST'] as const) {
        const path = spell(`/api/rpc/user/${operation}`);
        const { status } = await sendRequest(suite.app.agent, { method, path, headers: { 'X-HTTP-Method-Override': 'GET' } });
        expect([method, path, status < 400]).toEqual([method, path, false]);
      }
    }
    expect(suite.database.statements.all).toEqual([]);
  });

  it.each([
    ['in a batch', [{ model: 'user', op: 'findMany' }]],
    [
      'later in a batch',
      [
        { model: 'tag', op: 'count' },
        { model: 'User', op: 'count' },
      ],
    ],
    ['in capitals in a batch', [{ model: 'USER', op: 'findMany' }]],
  ])('24. are called for an operation %s', async (_, operations) => {
    expect((await suite.app.rpc.sequential(operations)).status).toBe(403);
    const arrayLike = JSON.stringify(Object.fromEntries(operations.entries()));
    const asObject = { method: 'POST', path: '/$transaction/sequential', headers: { 'Content-Type': JSON_TYPE }, body: arrayLike } as const;
    expect((await suite.app.rpc.send(asObject)).status).toBe(403);
    expect(suite.database.statements.all).toEqual([]);
  });

  it.each([
    '/%24transaction/sequential',
    '/$transaction/sequential/',
    '/$transaction//sequential',
    '/$TRANSACTION/SEQUENTIAL',
    '/$transaction/%73equential',
    '/$transaction%2Fsequential',
    '/$transaction/sequential;x=1',
    '/$transaction/sequential%20',
    '/./$transaction/sequential',
    '/x/../$transaction/sequential',
    '/user/$transaction/sequential',
  ])('24. are called for a batch at %s', async (path) => {
    const headers = { 'Content-Type': JSON_TYPE };
    const { status } = await sendRequest(suite.app.agent, {
      method: 'POST',
      path: `/api/rpc${path}`,
      headers,
      body: '[{"model":"user","op":"findMany","args":{}}]',
    });
    expect(status < 400).toBe(false);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('24. allow requests that the guard allows', async () => {
    expect((await suite.app.rest.get('/tag')).status).toBe(200);
    expect((await suite.app.rest.request('HEAD', '/tag')).status).toBe(200);
    expect((await suite.app.rpc.call('tag/findMany')).status).toBe(200);
    expect((await suite.app.rpc.sequential([{ model: 'tag', op: 'count' }])).status).toBe(200);
  });
});

/** Sends a part of a request and resets the connection. */
async function hangUp(url: string, part: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = await new Promise<Socket>((resolve) => {
    const opened = connect(Number(port), hostname, () => {
      resolve(opened);
    });
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.write(part, resolve));
  socket.resetAndDestroy();
}

async function expectNoConnections(server: Server): Promise<void> {
  server.closeIdleConnections();
  for (let wait = 0; wait < 40; wait += 1) {
    const count = await new Promise<number>((resolve, reject) => {
      server.getConnections((error, found) => {
        if (error) reject(error);
        else resolve(found);
      });
    });
    if (count === 0) return;
    await setTimeout(50);
  }
  throw new Error('The server still has connections.');
}
