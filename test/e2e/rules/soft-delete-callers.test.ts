import { createOpenApiDocument, describeSurface, RESOURCE_MODEL, type ResourceModel } from '../../../lib/index.js';
import { rightsByPlace } from '../../../lib/model/surface/rights-by-place.js';
import { ADMIN, as, countDeleted, describeSoftDelete, find, type Headers, remove, restore, whatIsDeleted } from './soft-delete-suite.js';
import { sample } from '../../support/sample.js';
import { expandedSchema } from '../../unit/openapi/expanded-operations.js';

describeSoftDelete('a soft-deleted record', (suite) => {
  describe('that callers with a grant may read', () => {
    beforeEach(async () => {
      await remove(suite.plain, '/task/1');
    });

    it('is returned and filtered for them, and missing for others, at any depth', async () => {
      const list = async (headers: Headers, query = ''): Promise<readonly unknown[]> =>
        (await suite.plain.rest.request('GET', `/task?sort=id${query}`, { headers })).ids;
      expect([await list(ADMIN), await list(as(1))]).toEqual([
        [1, 2, 3, 4, 5],
        [2, 3],
      ]);
      expect(await list(ADMIN, '&filter[deletedAt][$gte]=2000-01-01T00:00:00Z')).toEqual([1, 4, 5]);
      expect(
        await find(suite.plain, 'task/findMany', { where: { deletedAt: null }, select: { id: true }, orderBy: { id: 'asc' } }, ADMIN),
      ).toEqual([{ id: 2 }, { id: 3 }]);
      expect((await suite.plain.rest.request('GET', '/task/1?include=comments', { headers: ADMIN })).document).toMatchObject({
        data: { attributes: { deletedAt: expect.any(String) }, relationships: { comments: { data: [{ id: 1 }, { id: 2 }] } } },
      });
      const nested = {
        where: { id: 1 },
        select: { _count: { select: { tasks: true } }, tasks: { select: { id: true }, orderBy: { id: 'asc' } } },
      };
      expect(await find(suite.plain, 'person/findUnique', nested, ADMIN)).toEqual({
        _count: { tasks: 3 },
        tasks: [{ id: 1 }, { id: 3 }, { id: 5 }],
      });
      expect(await find(suite.plain, 'person/findUnique', nested, as(1))).toEqual({ _count: { tasks: 1 }, tasks: [{ id: 3 }] });
      // A model without this option hides its soft-deleted records from them, too.
      expect(await find(suite.plain, 'attachment/count', {}, ADMIN)).toBe(3);
    });

    it('is a 404 for updates, links, deletes and actions of every caller', async () => {
      const before = JSON.stringify(await whatIsDeleted(suite.database));
      const update = { data: { type: 'task', id: 1, attributes: { title: 'x' } } };
      expect((await suite.plain.rest.request('PATCH', '/task/1', { headers: ADMIN, body: update })).status).toBe(404);
      expect((await remove(suite.plain, '/task/1', ADMIN)).status).toBe(404);
      expect((await suite.plain.rest.request('POST', '/task/1/touch', { headers: ADMIN })).status).toBe(404);
      for (const [operation, args] of [
        ['comment/create', { data: { body: 'x', taskId: 1 } }],
        ['comment/update', { where: { id: 3 }, data: { task: { connect: { id: 1 } } } }],
        ['person/update', { where: { id: 2 }, data: { tasks: { connect: { id: 1 } } } }],
      ] as const) {
        expect([operation, (await suite.plain.rpc.call(operation, args, { headers: ADMIN })).status]).toEqual([operation, 404]);
      }
      // The reads of a batch with writes do not return soft-deleted records.
      const batch = await suite.plain.rpc.sequential(
        [
          { model: 'task', op: 'count' },
          { model: 'task', op: 'update', args: { where: { id: 2 }, data: { title: 'x' } } },
        ],
        ADMIN,
      );
      expect((batch.data as readonly unknown[])[0]).toBe(2);
      expect(JSON.stringify(await whatIsDeleted(suite.database))).toBe(before);
    });
  });

  describe('under rules', () => {
    it('is deleted and restored under the rule of delete, whose reason is in the error', async () => {
      expect((await remove(suite.ruled, '/task/1', as(2))).document.errors?.[0]).toMatchObject({
        status: 403,
        meta: { reason: 'not the owner' },
      });
      expect((await remove(suite.ruled, '/task/1', as(1))).status).toBe(204);
      // Dependent records are deleted even if the caller may not read them.
      expect((await whatIsDeleted(suite.database)).comment.map(({ id }) => id)).toEqual([1, 2, 4]);
      expect((await restore(suite.ruled, '/task/1', as(2))).document.errors?.[0]).toMatchObject({
        status: 403,
        meta: { reason: 'not the owner' },
      });
      expect((await whatIsDeleted(suite.database)).task).toHaveLength(3);
      expect((await restore(suite.ruled, '/task/1', as(1))).status).toBe(200);
      expect(await countDeleted(suite.database)).toBe(0);
      // An unreadable record is missing.
      await remove(suite.plain, '/comment/2');
      expect((await restore(suite.ruled, '/comment/2', as(1))).status).toBe(404);
      // Further conditions of `where` are evaluated under the rules of their models.
      const named = (where: object) => suite.ruled.rpc.call('task/restore', { where }, { method: 'POST', headers: as(1) });
      await remove(suite.plain, '/task/1');
      await remove(suite.plain, '/person/2');
      expect((await named({ id: 1, reviewer: { name: 'Bob' } })).status).toBe(404);
      expect((await named({ id: 1, owner: { name: 'Ada' } })).status).toBe(200);
    });

    it('is soft-deleted also by the client of an action', async () => {
      await remove(suite.plain, '/task/2');
      const purge = (headers: Headers) => suite.ruled.rest.request('POST', '/task/purge', { headers });
      expect((await purge(as(1))).document).toMatchObject({ meta: { count: 1, seen: 0 } });
      expect((await purge(ADMIN)).document).toMatchObject({ meta: { count: 0, seen: 1 } });
      expect((await whatIsDeleted(suite.database)).task.map(({ id }) => id)).toEqual([2, 3]);
    });

    sample.omitted.it('is hidden in the same way with SQL reads and without', async () => {
      for (const path of ['/task/1', '/comment/3', '/person/3', '/label/2']) await remove(suite.plain, path);
      const paths = [
        ...['task', 'comment', 'person', 'label', 'attachment', 'reminder', 'note', 'reaction'].map((type) => `/${type}?sort=id`),
        '/task?include=comments,labels,owner,reviewer,children,note&sort=-id',
        '/person?include=tasks.comments,reviews.labels&page[limit]=2',
        '/person?filter[tasks]=1',
        '/label?include=tasks.owner',
        '/comment?filter[task][title]=one',
        '/attachment?include=task',
        '/task/2/comments',
        '/task/1/labels',
        '/task/2/relationships/labels',
      ];
      for (const headers of [as(1), ADMIN]) {
        for (const path of paths) {
          const [one, other] = await Promise.all([suite.ruled, suite.inSql].map((app) => app.rest.request('GET', path, { headers })));
          expect([path, other?.status, other?.text]).toEqual([path, one?.status, one?.text]);
        }
        const args = {
          include: { _count: true, comments: { include: { reactions: true } }, labels: true, owner: true },
          orderBy: { id: 'asc' },
        };
        expect(await find(suite.inSql, 'task/findMany', args, headers)).toEqual(await find(suite.ruled, 'task/findMany', args, headers));
      }
    });
  });

  it('cannot be restored by callers who could not read it afterwards', async () => {
    const app = await suite.start({ rules: { 'Task': { 'read': { deletedAt: { not: null } }, '*': true }, '*': true } });
    try {
      await remove(suite.plain, '/task/1');
      const before = await whatIsDeleted(suite.database);
      expect((await restore(app, '/task/1')).status).toBe(403);
      expect((await app.rpc.call('task/restore', { where: { id: 1 } }, { method: 'POST' })).status).toBe(403);
      expect(await whatIsDeleted(suite.database)).toEqual(before);
    } finally {
      await app.close();
    }
  });

  it('has its field and its restore in OpenAPI, describeSurface and the lock file', () => {
    const document = createOpenApiDocument(suite.plain.nest);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/api/rest/task/{id}/restore', '/api/rpc/task/restore']));
    const schemaOf = (name: string): string => JSON.stringify(expandedSchema({ ...document.components.schemas[name] }, document));
    expect(schemaOf('Task')).toContain('"deletedAt"');
    for (const name of ['TaskCreateManyInput', 'TaskUpdateManyMutationInput', 'TaskCreateDocument', 'TaskUpdateDocument']) {
      expect([name, schemaOf(name)]).toEqual([name, expect.not.stringContaining('"deletedAt"')]);
    }
    const model = suite.plain.nest.get<ResourceModel>(RESOURCE_MODEL);
    expect(describeSurface(model).find((entry) => entry.model === 'Task')).toMatchObject({
      rows: { read: 'ruled', create: 'open', update: 'ruled', delete: 'ruled' },
      softDelete: { field: 'deletedAt', isShown: false },
      ownActions: expect.arrayContaining([{ name: 'restore', on: 'record', right: 'delete' }]),
    });
    const rights = rightsByPlace(model);
    expect([rights.get('Task'), rights.get('Task.(deleted)'), rights.get('Task.restore()'), rights.get('Task.deletedAt')]).toEqual([
      ['read:ruled', 'read(admin)', 'create', 'update:ruled', 'delete:ruled'],
      ['read(admin)'],
      ['delete'],
      ['read', 'filter', 'sort'],
    ]);
  });
});
