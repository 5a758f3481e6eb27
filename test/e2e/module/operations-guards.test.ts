import { type CanActivate, type ExecutionContext, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { type ResourceOperation, resourceOperation } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { describeOnPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { asked, refusal, sendOperations } from '../rest/operations-suite.js';

const seen: (ResourceOperation | undefined)[] = [];
const seenGlobally: (ResourceOperation | undefined)[] = [];
let allowed: (operation: ResourceOperation | undefined) => boolean;

class OperationGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    seen.push(resourceOperation(context));
    return allowed(resourceOperation(context));
  }
}

class GlobalGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    seenGlobally.push(resourceOperation(context));
    return true;
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: GlobalGuard }] })
class GlobalModule {}

describeOnPlatforms('guards of atomic operations', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({
      platform,
      database,
      imports: [GlobalModule],
      options: {
        guards: [OperationGuard],
        rest: { operations: { path: 'atomic', maxOperations: 3 } },
        resources: { Post: { actions: ['read', 'update'] }, Category: { actions: ['create'] }, Tag: { fields: { name: 'immutable' } } },
      },
    });
  });
  beforeEach(async () => {
    await database.reset();
    seen.length = 0;
    seenGlobally.length = 0;
    allowed = () => true;
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const send = (...operations: readonly unknown[]) => sendOperations(app, asked(...operations), { path: '/atomic' });

  it('AO-30: run once for each operation, and global ones see them all', async () => {
    await send(
      { op: 'add', data: { type: 'TAG', attributes: { name: 'x' } }, meta: { operation: 'upsert', matchFields: ['name'] } },
      { op: 'update', href: '/post/1/relationships/tags', data: [] },
      { op: 'remove', ref: { type: 'comment', id: '1' } },
    );
    const expected = [
      { style: 'rest', model: 'Tag', operation: 'createResource', action: 'create', actions: ['create', 'update'] },
      { style: 'rest', model: 'Post', operation: 'replaceRelationship', action: 'update', actions: ['update'], relationship: 'tags' },
      { style: 'rest', model: 'Comment', operation: 'deleteResource', action: 'delete', actions: ['delete'] },
    ];
    expect(seen).toEqual(expected);
    expect(seenGlobally).toEqual([
      { style: 'rest', model: undefined, operation: 'executeOperations', action: undefined, actions: [], batch: expected },
    ]);
  });

  it('AO-30: refuse all for one of them, before any SQL', async () => {
    allowed = (operation) => operation?.model !== 'Comment';
    const answer = await send({ op: 'update', href: '/post/1/relationships/tags', data: [] }, { op: 'remove', href: '/comment/1' });
    expect([answer.status, database.statements.all]).toEqual([403, []]);
  });

  it('AO-30: run for what names nothing, and for what is no operation at all', async () => {
    allowed = (operation) => operation?.model !== undefined;
    expect((await send({ op: 'fly' })).status).toBe(403);
    expect((await sendOperations(app, '[', { path: '/atomic' })).status).toBe(403);
    expect(seen).toHaveLength(2);
  });

  it('AO-32: are not asked about too many operations', async () => {
    const one = { op: 'remove', href: '/comment/1' };
    expect(refusal(await send(one, one, one, one))).toEqual([400, 'limit-exceeded /atomic:operations']);
    expect(seen).toEqual([]);
  });

  it('AO-30: do not open what is closed to single requests', async () => {
    const answer = await send(
      { op: 'remove', ref: { type: 'post', id: '1' } },
      { op: 'update', data: { type: 'tag', id: '1', attributes: { name: 'x' } } },
      { op: 'add', data: { type: 'post', attributes: { title: 'x' } } },
    );
    expect(refusal(answer)).toEqual([
      400,
      'forbidden /atomic:operations/0',
      'invalid-payload /atomic:operations/1/data/attributes/name',
      'forbidden /atomic:operations/2',
    ]);
    expect(database.statements.all).toEqual([]);
  });

  it('AO-30: a result shows no more of a resource that is closed to readers than its identity', async () => {
    const { results } = await send({ op: 'add', data: { type: 'category', attributes: { slug: 'x', name: 'x' } } });
    expect(results).toEqual([{ data: { type: 'category', id: expect.any(Number), links: expect.anything() } }]);
  });

  it('are not at the default path where the option names another', async () => {
    expect((await app.rest.post('/operations', { data: null })).status).toBe(404);
  });
});
