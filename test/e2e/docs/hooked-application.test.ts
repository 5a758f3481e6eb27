import { ACME, ANN, BOB, openTaskDatabase, startTaskApp, type TaskApp, type TaskDatabase } from './task-app.js';
import { sample } from '../../support/sample.js';

sample.omitted.describe('a real application with hooks in place of triggers', () => {
  let database: TaskDatabase;
  const TABLES = ['Project', 'Task', 'Membership'];
  let app: TaskApp;
  beforeAll(async () => {
    database = await openTaskDatabase('PGlite');
    await database.reset();
    for (const table of TABLES) await database.prisma.$executeRawUnsafe(`ALTER TABLE "${table}" DISABLE TRIGGER USER`);
    app = await startTaskApp(database, 'express', { isHooked: true });
  }, 120_000);
  afterAll(async () => {
    await app.nest.close();
    await database.close();
  });

  it('writes one audit entry and one outbox message for each stored change', async () => {
    const bob = app.as(BOB, ACME);
    const rpc = (path: string) => bob.post(`/api/rpc/${path}`);
    await rpc('task/create')
      .send({ data: { title: 'new', projectId: 1, assigneeId: ANN } })
      .expect(201);
    const all = { where: {}, data: { done: true } };
    await bob
      .patch('/api/rpc/task/updateMany')
      .send(all)
      .expect(200, { data: { count: 2 } });
    await bob
      .patch('/api/rpc/task/updateMany')
      .send(all)
      .expect(200, { data: { count: 2 } });
    await bob.delete('/api/rest/task/3').expect(204);
    const failing = [
      { model: 'task', op: 'create', args: { data: { title: 'gone', projectId: 1, assigneeId: BOB } } },
      { model: 'task', op: 'update', args: { where: { id: 99 }, data: { done: true } } },
    ];
    await rpc('$transaction/sequential').send(failing).expect(404);
    const kept = await database.prisma.auditEntry.findMany({ orderBy: { id: 'asc' } });
    expect(kept.map(({ model, action, actorId, organizationId }) => [model, action, actorId, organizationId])).toEqual(
      ['create', 'update', 'update', 'delete'].map((action) => ['Task', action, BOB, ACME]),
    );
    expect(kept[1]).toMatchObject({ before: { done: false }, after: { done: true } });
    expect(kept[3]).toMatchObject({ before: { title: 'new' }, after: null });
    const messages = await database.prisma.outboxMessage.findMany();
    expect(messages.map(({ topic, payload }) => [topic, payload])).toEqual([['task.assigned', { taskId: 3, userId: ANN }]]);
  });
});
