import { describe, expect, it } from '@jest/globals';
import { defineRules, granted, withSqlReads } from '../../../lib/index.js';
import { sample } from '../../support/sample.js';
import { AppSuite, withOptions } from '../../support/app-suite.js';
import { onDatabases } from '../../support/databases/this-database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import type { RestResponse } from '../../support/rest-client.js';
import { onPlatforms, type Platform, startTestApp, type TestApp } from '../../support/test-app.js';
import { operationsOf, type OperationsAnswer, sendOperations } from './operations-suite.js';
import { STALE } from './versions-suite.js';
import { refusalOf, user } from './write-suite.js';

/** Models without a version, whose tags have a hash of the row. */
const RESOURCES = { Comment: { concurrency: 'offered' }, Tag: { concurrency: 'required' }, Profile: { concurrency: 'offered' } } as const;

const post = (id: number): object => ({ type: 'post', id });
const etagOf = ({ headers }: RestResponse): string => String(headers['etag']);
const hashOf = (response: RestResponse): string => etagOf(response).split('.')[0] ?? '';
const metaOf = (resource: object): unknown => (resource as { readonly meta?: unknown }).meta;
const change = (body: string, more: object = {}): object => ({ data: { type: 'comment', id: 1, attributes: { body }, ...more } });

const describeHashes = (tests: (platform: Platform) => void): void => {
  // MariaDB does not compare texts letter by letter.
  onDatabases('postgresql', 'sqlite').describe('on a database that compares values exactly,', () => {
    onPlatforms('tags with a hash of the row', tests);
  });
};

describeHashes((platform) => {
  const suite = new AppSuite(platform, withOptions, { resources: RESOURCES, rest: { operations: true } });
  const patch = (body: string, tag: string, { rest }: TestApp = suite.app): Promise<RestResponse> =>
    rest.patch('/comment/1', change(body), { 'If-Match': tag });
  const bodyOf = async (id = 1): Promise<string> => (await suite.database.prisma.comment.findUniqueOrThrow({ where: { id } })).body;

  it('CC-16: begin with h, are the same in every representation, and change with the row', async () => {
    const { rest } = suite.app;
    const plain = await rest.get('/comment/1');
    expect(etagOf(plain)).toMatch(/^"h[\w-]{22}\.[\w-]{27}"$/);
    const others = ['?include=post', '?fields[comment]=body', '?fields[comment]=post', '?include=author,post'];
    for (const query of others) expect(hashOf(await rest.get(`/comment/1${query}`))).toBe(hashOf(plain));
    const [listed] = (await rest.get('/comment?filter[id]=1&fields[comment]=body')).many;
    const { included } = (await rest.get('/post/1?include=comments&fields[comment]=body')).document;
    const found = included?.find(({ type, id }) => type === 'comment' && id === 1);
    expect([metaOf(listed ?? {}), metaOf(found ?? {})]).toEqual([{ etag: `${hashOf(plain)}"` }, { etag: `${hashOf(plain)}"` }]);
    const tags = new Set([hashOf(plain)]);
    for (const data of [{ body: 'x' }, { postId: 2 }, { authorId: null }, { authorId: 3 }, { createdAt: new Date(5) }]) {
      await suite.database.prisma.comment.update({ where: { id: 1 }, data });
      tags.add(hashOf(await rest.get('/comment/1')));
    }
    expect(tags.size).toBe(6);
  });

  onDatabases('postgresql').it('CC-16: are the same with SQL reads', async () => {
    const client = withSqlReads(suite.database.prisma);
    const fast = await suite.start({ resources: RESOURCES, getClient: () => client });
    for (const path of ['/comment/1', '/tag/1', '/profile/1']) {
      expect(hashOf(await fast.rest.get(path))).toBe(hashOf(await suite.app.rest.get(path)));
    }
    expect((await patch('by SQL reads', etagOf(await fast.rest.get('/comment/1')), fast)).status).toBe(200);
  });

  it('CC-07, CC-15: are compared by a write, so that only the first one with a tag succeeds', async () => {
    const tag = etagOf(await suite.app.rest.get('/comment/1?include=author'));
    const first = await patch('first', tag);
    expect([first.status, hashOf(first)]).toEqual([200, hashOf(await suite.app.rest.get('/comment/1'))]);
    expect([refusalOf(await patch('second', tag)), await bodyOf()]).toEqual([STALE, 'first']);
    expect((await patch('third', `"x", "${hashOf(first).slice(1)}"`)).status).toBe(200);
    expect(refusalOf(await patch('weak', `W/${etagOf(await suite.app.rest.get('/comment/1'))}`))).toEqual(STALE);
    expect((await patch('any', '*')).status).toBe(200);
  });

  it.each([
    ['an incomplete tag', '"h"'],
    ['one of a version', '"3"'],
    ['one of a computer', `"h${'A'.repeat(22)}.x"`],
    ['one without an h', `"${'A'.repeat(22)}"`],
  ])('CC-16: %s never matches', async (_, tag) => {
    expect([refusalOf(await patch('x', tag)), await bodyOf()]).toEqual([STALE, await bodyOf()]);
  });

  it('CC-16: differ for null and for texts that look like encoded values', async () => {
    const { prisma } = suite.database;
    for (const body of ['', 'null', '"', `a,b\\`, "'); DROP TABLE", '%']) {
      await prisma.comment.update({ where: { id: 1 }, data: { body, authorId: null } });
      expect((await patch(`${body}!`, etagOf(await suite.app.rest.get('/comment/1')))).status).toBe(200);
      expect(await bodyOf()).toBe(`${body}!`);
    }
  });

  it('CC-05: are compared after all other checks of the request', async () => {
    const { rest } = suite.app;
    expect((await rest.patch('/comment/999', { data: { ...TITLE, id: 999 } }, { 'If-Match': '"x"' })).status).toBe(404);
    expect(
      (await rest.patch('/comment/1', { data: { type: 'comment', id: 1, attributes: { bdy: '' } } }, { 'If-Match': '"x"' })).status,
    ).toBe(400);
    const upsert = { data: { type: 'tag', attributes: { name: 'x' } }, meta: { operation: 'upsert', matchFields: ['name'] } };
    expect((await rest.post('/tag', upsert, { 'If-Match': '"hx"' })).status).toBe(400);
  });

  it('CC-11: are required with concurrency: required', async () => {
    const { rest, rpc } = suite.app;
    const renamed = { data: { type: 'tag', id: 1, attributes: { name: 'renamed' } } };
    expect(refusalOf(await rest.patch('/tag/1', renamed))).toEqual([428, 'precondition-required If-Match']);
    expect((await rest.patch('/tag/1', renamed, { 'If-Match': etagOf(await rest.get('/tag/1')) })).status).toBe(200);
    expect((await rest.request('DELETE', '/tag/5')).status).toBe(428);
    expect((await rest.request('DELETE', '/tag/5', { headers: { 'If-Match': etagOf(await rest.get('/tag/5')) } })).status).toBe(204);
    expect((await rpc.call('tag/update', { where: { id: 1 }, data: { name: 'x' } })).status).toBe(428);
    expect((await rpc.call('tag/deleteMany', { where: { id: 1 } })).status).toBe(428);
  });

  it('CC-16, CC-18: are compared by writes of a relationship', async () => {
    const { rest } = suite.app;
    const tag = etagOf(await rest.get('/comment/1'));
    expect((await rest.patch('/comment/1/relationships/post', { data: post(2) }, { 'If-Match': tag })).status).toBe(200);
    expect(refusalOf(await rest.patch('/comment/1/relationships/post', { data: post(3) }, { 'If-Match': tag }))).toEqual(STALE);
    const both = change('moved', { relationships: { post: { data: post(4) } } });
    expect(refusalOf(await rest.patch('/comment/1', both, { 'If-Match': tag }))).toEqual(STALE);
    expect((await rest.patch('/comment/1', both, { 'If-Match': etagOf(await rest.get('/comment/1')) })).status).toBe(200);
    expect(await suite.database.prisma.comment.findUnique({ where: { id: 1 } })).toMatchObject({ body: 'moved', postId: 4 });
  });

  it('CC-31: are compared by atomic operations', async () => {
    const { rest } = suite.app;
    const ifMatch = etagOf(await rest.get('/comment/1'));
    const operation = (body: string): object => ({ op: 'update', ...change(body), meta: { ifMatch } });
    const send = (...operations: readonly object[]): Promise<OperationsAnswer> => sendOperations(suite.app, operationsOf(...operations));
    expect((await send(operation('one'), operation('two'))).status).toBe(412);
    expect(await bodyOf()).not.toBe('one');
    expect((await send(operation('three'))).status).toBe(200);
    expect((await send(operation('four'))).status).toBe(412);
  });

  sample.omitted.it.each<readonly [string, (body: number) => object]>([
    ['an attribute', (body: number) => change(`${body}`)],
    ['a relationship', (body: number) => ({ data: { type: 'comment', id: 1, relationships: { post: { data: post((body % 5) + 2) } } } })],
    ['both', (body: number) => change(`${body}`, { relationships: { author: { data: user((body % 2) + 2) } } })],
  ])(
    'CC-33: of 50 parallel writes of %s with one tag, one succeeds',
    async (_, of) => {
      await suite.database.prisma.comment.update({ where: { id: 1 }, data: { postId: 1, authorId: 1 } });
      const headers = { 'If-Match': etagOf(await suite.app.rest.get('/comment/1')) };
      const all = Array.from({ length: 50 }, (__, index) => suite.app.rest.patch('/comment/1', of(index), headers));
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 49 }, () => 412)]);
    },
    60_000,
  );

  it.each([
    ['hidden', 'hidden'],
    ['writeOnly', { read: false, create: true, update: true }],
  ] as const)('CC-16: do not depend on fields that are not readable (%j, %j)', async (authorId, author) => {
    const app = await suite.start({ resources: { Comment: { concurrency: 'offered', fields: { authorId, author } } } });
    const tag = etagOf(await app.rest.get('/comment/1'));
    await suite.database.prisma.comment.update({ where: { id: 1 }, data: { authorId: 3 } });
    expect(etagOf(await app.rest.get('/comment/1'))).toBe(tag);
    expect((await patch('x', tag, app)).status).toBe(200);
  });

  it('CC-16: differ for callers with different grants', async () => {
    const app = await suite.start({
      grants: { staff: ({ headers }) => headers['x-staff'] === 'yes' },
      resources: { Comment: { concurrency: 'offered', fields: { createdAt: { read: granted('staff') } } } },
    });
    const send = async (headers: Readonly<Record<string, string>>, body?: object): Promise<Response> =>
      fetch(`${app.url}/api/rest/comment/1`, {
        headers: { ...headers, ...(body && { 'Content-Type': 'application/vnd.api+json' }) },
        ...(body && { method: 'PATCH', body: JSON.stringify(body) }),
      });
    const tagFor = async (headers: Readonly<Record<string, string>>): Promise<string> => (await send(headers)).headers.get('ETag') ?? '';
    const staff = { 'x-staff': 'yes' };
    const [theirs, plain] = [await tagFor(staff), await tagFor({})];
    expect(theirs.split('.')[0]).not.toBe(plain.split('.')[0]);
    expect((await send({ 'If-Match': theirs }, change('x'))).status).toBe(412);
    expect((await send({ ...staff, 'If-Match': theirs }, change('x'))).status).toBe(200);
  });

  it('CC-20: are not compared for an unreadable row, which is a 404', async () => {
    const rules = defineRules<PrismaClient>()({ 'Comment': { 'read': { id: { not: 1 } }, '*': true }, '*': true });
    const app = await suite.start({ resources: RESOURCES, rules });
    const tag = etagOf(await suite.app.rest.get('/comment/1'));
    expect([(await patch('x', tag, app)).status, (await patch('x', '"h"', app)).status]).toEqual([404, 404]);
    const moved = (id: number): object => ({ data: { type: 'comment', id: 3, relationships: { post: { data: post(id) } } } });
    const third = etagOf(await app.rest.get('/comment/3'));
    const answers = [
      await app.rest.patch('/comment/3', moved(4), { 'If-Match': third }),
      await app.rest.patch('/comment/3', moved(5), { 'If-Match': third }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 412]);
    const own = etagOf(await app.rest.get('/comment/2'));
    const sent = { data: { type: 'comment', id: 2, attributes: { body: 'x' } } };
    expect((await app.rest.patch('/comment/2', sent, { 'If-Match': own })).status).toBe(200);
    expect(refusalOf(await app.rest.patch('/comment/2', sent, { 'If-Match': own }))).toEqual(STALE);
  });

  it('CC-14: do not exist for a model without the option concurrency', async () => {
    expect(etagOf(await suite.app.rest.get('/category/1'))).toMatch(/^W\//);
    expect(metaOf((await suite.app.rest.get('/category/1')).one)).toBeUndefined();
  });

  it('CC-16: are a configuration error for a model with values that cannot be compared', async () => {
    for (const [resources, text] of [
      [{ Post: { concurrency: 'offered' } }, /Post has no version. A hash of the row cannot .*'metadata' cannot be compared/],
      [{ Specimen: { concurrency: 'required' } }, /Specimen has no version. A hash of the row cannot/],
    ] as const) {
      const starting = startTestApp({ platform, database: suite.database, options: { resources } });
      await expect(starting).rejects.toThrow(text);
    }
  });
});

describe('tags with a hash of the row, on a database whose collation equates different values,', () => {
  onDatabases('mariadb').it('CC-16: are a configuration error', async () => {
    const starting = startTestApp({ platform: 'express', options: { resources: RESOURCES, getClient: () => ({}) } });
    await expect(starting).rejects.toThrow(/A hash of the row cannot stand for it: mysql may take values/);
  });
});

const TITLE = { type: 'comment', attributes: { body: 'x' } };
