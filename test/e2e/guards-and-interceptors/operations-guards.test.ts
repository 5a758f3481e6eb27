import { resourceOperation } from '../../../lib/index.js';
import { AppSuite, type SuiteSetup } from '../../support/app-suite.js';
import { guardingModule, NotingGuard } from '../../support/noting-guard.js';
import { onPlatforms } from '../../support/test-app.js';
import { operationsOf, refusal, sendOperations } from '../rest/operations-suite.js';

const guard = new NotingGuard(resourceOperation);
const globalGuard = new NotingGuard(resourceOperation);

const SETUP: SuiteSetup = {
  imports: [guardingModule(globalGuard)],
  options: {
    guards: [guard],
    rest: { operations: { path: 'atomic', maxOperations: 3 } },
    resources: { Post: { actions: ['read', 'update'] }, Category: { actions: ['create'] }, Tag: { fields: { name: 'immutable' } } },
  },
};

onPlatforms('guards of atomic operations', (platform) => {
  const suite = new AppSuite<undefined>(platform, () => SETUP, undefined);
  beforeEach(() => {
    guard.reset();
    globalGuard.reset();
  });

  const send = (...operations: readonly unknown[]) => sendOperations(suite.app, operationsOf(...operations), { path: '/atomic' });

  it('AO-30: run once for each operation, and global guards receive all operations', async () => {
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
    expect(guard.seen).toEqual(expected);
    expect(globalGuard.seen).toEqual([
      { style: 'rest', model: undefined, operation: 'executeOperations', action: undefined, actions: [], batch: expected },
    ]);
  });

  it('AO-30: reject the whole request for one operation, before any SQL', async () => {
    guard.allows = (context) => resourceOperation(context)?.model !== 'Comment';
    const answer = await send({ op: 'update', href: '/post/1/relationships/tags', data: [] }, { op: 'remove', href: '/comment/1' });
    expect([refusal(answer), suite.database.statements.all]).toEqual([[403, 'forbidden /atomic:operations/1'], []]);
  });

  it('AO-30: run for operations without a target, and for invalid bodies', async () => {
    guard.allows = (context) => resourceOperation(context)?.model !== undefined;
    expect((await send({ op: 'fly' })).status).toBe(403);
    expect((await sendOperations(suite.app, '[', { path: '/atomic' })).status).toBe(403);
    expect(guard.seen).toHaveLength(2);
  });

  it('AO-32: are not called for a request with too many operations', async () => {
    const one = { op: 'remove', href: '/comment/1' };
    expect(refusal(await send(one, one, one, one))).toEqual([400, 'limit-exceeded /atomic:operations']);
    expect(guard.seen).toEqual([]);
  });

  it('AO-30: do not allow operations that `resources` forbids', async () => {
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
    expect(suite.database.statements.all).toEqual([]);
  });

  it('AO-30: allow a create of an unreadable resource, whose result has only type, id and links', async () => {
    const { results } = await send({ op: 'add', data: { type: 'category', attributes: { slug: 'x', name: 'x' } } });
    expect(results).toEqual([{ data: { type: 'category', id: expect.any(Number), links: expect.anything() } }]);
  });

  it('do not run at the default path if the option names another one', async () => {
    expect((await suite.app.rest.post('/operations', { data: null })).status).toBe(404);
  });
});
