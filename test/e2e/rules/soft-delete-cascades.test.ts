import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AfterWrite, type HookKey, ResourceHooks, withRowLevelSecurity } from '../../../lib/index.js';
import { as, type CallerRequest, countDeleted, describeSoftDelete, find, remove, restore, whatIsDeleted } from './soft-delete-suite.js';

describeSoftDelete('soft delete with dependent records', (suite) => {
  it('deletes dependents by every kind of relation, at several levels, with one timestamp, and not by null keys', async () => {
    expect((await remove(suite.plain, '/task/1')).status).toBe(204);
    const deleted = await whatIsDeleted(suite.database);
    expect(Object.fromEntries(Object.entries(deleted).map(([model, rows]) => [model, rows.map(({ id }) => id)]))).toEqual({
      person: [],
      task: [1, 4, 5],
      comment: [1, 2, 4],
      reaction: [1, 2, 4],
      attachment: [1],
      reminder: [1],
      label: [1, 2],
      note: [1],
    });
    expect(new Set(Object.values(deleted).flatMap((rows) => rows.map(({ deletedAt }) => Number(deletedAt)))).size).toBe(1);
    // The code of task 3 is null, as are those of attachments.
    await remove(suite.plain, '/task/3');
    expect((await whatIsDeleted(suite.database)).attachment.map(({ id }) => id)).toEqual([1]);
  });

  it('deletes dependents by a foreign key that is also their primary key, and restores them', async () => {
    await remove(suite.plain, '/note/2');
    const { note, task, comment } = await whatIsDeleted(suite.database);
    expect([note, task, comment].map((rows) => rows.map(({ id }) => id))).toEqual([[2], [2], [3]]);
    expect((await restore(suite.plain, '/note/2')).status).toBe(200);
    expect(await countDeleted(suite.database)).toBe(0);
  });

  it('restores only records of the same delete, not those that were deleted before', async () => {
    await remove(suite.plain, '/comment/1');
    await remove(suite.plain, '/task/1');
    const { status, document } = await restore(suite.plain, '/task/1');
    expect([status, document.data]).toMatchObject([200, { id: 1, attributes: { deletedAt: null, title: 'one' } }]);
    const { comment, reaction, task } = await whatIsDeleted(suite.database);
    expect([comment, reaction, task].map((rows) => rows.map(({ id }) => id))).toEqual([[1], [1], []]);
    expect((await restore(suite.plain, '/task/1')).status).toBe(404);
    expect((await restore(suite.plain, '/comment/1')).status).toBe(200);
    expect(await countDeleted(suite.database)).toBe(0);
  });

  it('increments the version of each changed record, and compares If-Match', async () => {
    const versions = async (): Promise<readonly number[]> =>
      (await suite.database.prisma.task.findMany({ orderBy: { id: 'asc' }, select: { version: true } })).map(({ version }) => version);
    expect((await remove(suite.plain, '/task/1', { 'If-Match': '"7"' })).status).toBe(412);
    expect(await countDeleted(suite.database)).toBe(0);
    expect((await remove(suite.plain, '/task/1', { 'If-Match': '"1"' })).status).toBe(204);
    const [first = 0, second, , fourth] = await versions();
    expect([first > 1, second, fourth]).toEqual([true, 1, 2]);
    await restore(suite.plain, '/task/1');
    expect((await versions())[0]).toBe(first + 1);
  });

  it('is rolled back with atomic operations, batches and nested writes', async () => {
    const media = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"';
    const operations = (ids: readonly number[]) => ({
      'atomic:operations': ids.map((id) => ({ op: 'remove', ref: { type: 'task', id } })),
    });
    const send = (ids: readonly number[]) =>
      suite.plain.agent.post('/api/rest/operations').set('Content-Type', media).set('Accept', media).send(operations(ids));
    expect((await send([1, 3, 1])).status).toBe(404);
    expect(await countDeleted(suite.database)).toBe(0);
    expect((await send([2, 3])).status).toBe(204);
    expect((await whatIsDeleted(suite.database)).task.map(({ id }) => id)).toEqual([2, 3]);
    await suite.database.reset();
    const nested = { where: { id: 1 }, data: { tasks: { delete: { id: 1 }, deleteMany: { title: 'three' } } } };
    expect((await suite.plain.rpc.call('person/update', nested)).status).toBe(200);
    expect((await whatIsDeleted(suite.database)).task.map(({ id }) => id)).toEqual([1, 3, 4, 5]);
    // The record itself has the foreign key, which is not cleared, so that a restore keeps the link.
    await suite.database.reset();
    await suite.plain.rpc.call('task/update', { where: { id: 1 }, data: { reviewer: { delete: true } } });
    expect(await suite.database.prisma.task.findUnique({ where: { id: 1 } })).toMatchObject({ reviewerId: 2, deletedAt: null });
    expect((await whatIsDeleted(suite.database)).person.map(({ id }) => id)).toEqual([2]);
    expect(
      await find(suite.plain, 'task/findUnique', { where: { id: 1 }, select: { reviewer: true, owner: { select: { id: true } } } }),
    ).toEqual({
      reviewer: null,
      owner: { id: 1 },
    });
    expect(await find(suite.plain, 'task/findUnique', { where: { id: 2 }, select: { owner: true } })).toEqual({ owner: null });
  });

  it('runs hooks of delete for the record and its dependents, and hooks of update for a restore', async () => {
    const events: string[] = [];
    @ResourceHooks('*')
    class RecordingHooks {
      @AfterWrite('delete', 'update')
      after({ action, model, key }: { readonly action: string; readonly model: string; readonly key: HookKey }): void {
        events.push(`${action} of ${model} ${String(key['id'])}`);
      }
    }
    @Module({ providers: [RecordingHooks] })
    class HooksModule {}
    const app = await suite.start({}, [HooksModule]);
    const done = (): readonly string[] => events.splice(0);
    try {
      await remove(app, '/note/2');
      const rows = ['Attachment 2', 'Comment 3', 'Label 2', 'Label 3', 'Note 2', 'Reaction 3', 'Reminder 2', 'Task 2'];
      expect(done().toSorted()).toEqual(rows.map((row) => `delete of ${row}`));
      await restore(app, '/note/2');
      expect(done().toSorted()).toEqual(rows.map((row) => `update of ${row}`));
      await app.rpc.call('attachment/deleteMany', { where: { id: { in: [3, 4] } } });
      expect(done()).toEqual(['delete of Attachment 3', 'delete of Attachment 4']);
    } finally {
      await app.close();
    }
  });

  it('changes only rows that policies of PostgreSQL let the caller change', async () => {
    const role = `tasks_${randomUUID().slice(0, 8)}`;
    const { prisma } = suite.database;
    for (const sql of [
      `CREATE ROLE "${role}"`,
      `GRANT ALL ON ALL TABLES IN SCHEMA public TO "${role}"`,
      `GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO "${role}"`,
      'ALTER TABLE "Task" ENABLE ROW LEVEL SECURITY',
      `CREATE POLICY "own" ON "Task" USING ("ownerId" = current_setting('app.user_id')::int)`,
    ]) {
      await prisma.$executeRawUnsafe(sql);
    }
    const app = await suite.start({
      getClient: ({ caller }: CallerRequest) => withRowLevelSecurity(prisma, { role, settings: { 'app.user_id': caller?.id ?? 0 } }),
    });
    try {
      expect((await remove(app, '/task/1', as(2))).status).toBe(404);
      expect((await remove(app, '/task/1', as(1))).status).toBe(204);
      expect((await app.rest.request('GET', '/task?sort=id', { headers: as(1) })).ids).toEqual([3, 5]);
      // Rows that the policies protect are not deleted.
      expect((await whatIsDeleted(suite.database)).task.map(({ id }) => id)).toEqual([1]);
      expect((await restore(app, '/task/1', as(2))).status).toBe(404);
      expect((await restore(app, '/task/1', as(1))).status).toBe(200);
      expect(await countDeleted(suite.database)).toBe(0);
    } finally {
      await app.close();
      for (const sql of [
        'DROP POLICY "own" ON "Task"',
        'ALTER TABLE "Task" DISABLE ROW LEVEL SECURITY',
        `DROP OWNED BY "${role}"`,
        `DROP ROLE "${role}"`,
      ]) {
        await prisma.$executeRawUnsafe(sql);
      }
    }
  });
});
