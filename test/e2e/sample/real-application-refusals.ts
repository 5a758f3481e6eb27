import { createOpenApiDocument } from 'nestjs-resource-api';
import type { Caller, RealApplication } from './real-application-app.js';

/** Describes that the application returns and changes no protected data, by any kind of request. */
export function describeRefusals({ sample, nest, get, send, call, ids, audited, mail, settled }: RealApplication): void {
  it('users to update only themselves, and nobody to create or delete users', async () => {
    const named = (id: number): object => ({ data: { type: 'user', id, attributes: { name: 'Robert' } } });
    expect((await send('bob', 'PATCH', '/user/2', named(2))).one.attributes).toMatchObject({ name: 'Robert' });
    expect((await send('bob', 'PATCH', '/user/1', named(1))).status).toBe(403);
    expect((await send('bob', 'PATCH', '/user/4', named(4))).status).toBe(404);
    const secret = { where: { id: 2 }, data: { passwordHash: 'x' } };
    expect((await call('bob', 'user/update', secret)).status).toBe(400);
    const promoted = { update: { where: { organizationId_userId: { organizationId: 1, userId: 2 } }, data: { role: 'ADMIN' } } };
    expect((await call('bob', 'user/update', { where: { id: 2 }, data: { memberships: promoted } })).status).toBe(403);
    const person = { data: { type: 'user', attributes: { name: 'Eve', email: 'eve@example.com' } } };
    expect((await send('ann', 'POST', '/user', person)).status).toBe(403);
    expect((await send('ann', 'DELETE', '/user/2')).status).toBe(403);
    expect(await audited()).toEqual(['2@1 update User']);
  });

  it('of a user in two organizations only rows of the organization of the token', async () => {
    const path = '/user/2?include=memberships,comments.task,assigned.project';
    const seen = async (caller: Caller): Promise<readonly string[]> =>
      (await get(caller, path)).included.map(({ type, id }) => `${type} ${id}`).sort();
    expect(await seen('bob')).toEqual(['comment 1', 'membership 1_2', 'project 1', 'task 1']);
    expect(await seen('bobAtGlobex')).toEqual(['comment 2', 'membership 2_2', 'project 2', 'task 3']);
    expect([await ids('bob', '/user/2/comments'), await ids('cleo', '/user/2/comments')]).toEqual([[1], [2]]);
    const select = { _count: { select: { memberships: true, comments: true, assigned: true } } };
    const counted = await call('ann', 'user/findUnique', { where: { id: 2 }, select });
    expect(counted.data).toEqual({ _count: { memberships: 1, comments: 1, assigned: 1 } });
  });

  it('no record to be moved to another organization, nor one of it to be written by a nested write', async () => {
    const linkage = (type: string, id: number): object => ({ data: { type, id } });
    const moved = { data: { type: 'task', id: 1, relationships: { project: linkage('project', 2) } } };
    expect((await send('bob', 'PATCH', '/task/1', moved)).status).toBe(404);
    expect((await send('bob', 'PATCH', '/task/1/relationships/assignee', linkage('user', 4))).status).toBe(404);
    expect((await send('bob', 'POST', '/task/1/relationships/tags', { data: [{ type: 'tag', id: 2 }] })).status).toBe(404);
    const tagged = { where: { id: 1 }, data: { tags: { update: { where: { id: 2 }, data: { name: 'taken' } } } } };
    for (const [operation, args] of [
      ['comment/update', { where: { id: 1 }, data: { taskId: 3 } }],
      ['attachment/update', { where: { id: 1 }, data: { task: { connect: { id: 3 } } } }],
      ['project/update', { where: { id: 1 }, data: { tasks: { connect: { id: 3 } } } }],
      ['project/update', { where: { id: 1 }, data: { tasks: { delete: { id: 3 } } } }],
      ['task/update', tagged],
    ] as const) {
      expect([operation, (await call('bob', operation, args)).status]).toEqual([operation, 404]);
    }
    expect((await call('bob', 'task/updateMany', { where: { id: 3 }, data: { title: 'x' } })).data).toEqual({ count: 0 });
    expect((await call('bob', 'task/deleteMany', { where: { organizationId: 2 } })).data).toEqual({ count: 0 });
    expect((await call('bob', 'task/update', { where: { id: 1 }, data: { organizationId: 2 } })).status).toBe(400);
    expect([await audited(), await ids('cleo', '/task?sort=id')]).toEqual([[], [3, 4]]);
  });

  it('salaries only to HR, at any depth and in the OpenAPI document', async () => {
    const deep = { include: { memberships: { select: { salary: true } } }, orderBy: { id: 'asc' } };
    for (const [operation, args] of [
      ['user/findMany', deep],
      ['user/findMany', { where: { memberships: { some: { salary: { gt: 1 } } } } }],
      ['membership/findMany', { orderBy: { salary: 'asc' } }],
      ['membership/groupBy', { by: ['salary'] }],
    ] as const) {
      expect((await call('ann', operation, args)).status).toBe(400);
      expect((await call('hana', operation, args)).status).toBe(200);
    }
    expect((await call('hana', 'user/findMany', deep)).text).not.toMatch(/95000|20000/);
    const raise = { data: { type: 'membership', id: '1_2', attributes: { salary: '1' } } };
    expect((await send('ann', 'PATCH', '/membership/1_2', raise)).status).toBe(400);
    expect(JSON.stringify(createOpenApiDocument(nest(), { title: 'x' }))).not.toContain('salary');
    expect(JSON.stringify(createOpenApiDocument(nest(), { title: 'x', grants: ['hr'] }))).toContain('salary');
  });

  it('no comments of others to be written in bulk or through their task', async () => {
    const theirs = { where: {}, data: { body: 'x' } };
    expect((await call('ann', 'comment/updateMany', theirs)).data).toEqual({ count: 0 });
    expect((await call('ann', 'comment/deleteMany', { where: {} })).data).toEqual({ count: 0 });
    const nested = { where: { id: 1 }, data: { comments: { update: { where: { id: 1 }, data: { body: 'x' } } } } };
    expect((await call('ann', 'task/update', nested)).status).toBe(403);
    expect(await audited()).toEqual([]);
    expect((await call('bob', 'task/update', nested)).status).toBe(200);
    expect(await audited()).toEqual(['2@1 update Comment']);
  });

  it('values of the server in nested and bulk writes, and rejects them from clients', async () => {
    const tasks = { create: [{ title: 'One', comments: { create: { body: 'x' } } }] };
    const { data } = await call('ann', 'project/create', {
      data: { name: 'Shuttle', tasks },
      include: { tasks: { include: { comments: true } } },
    });
    expect(data).toMatchObject({ organizationId: 1, tasks: [{ organizationId: 1, createdById: 1, comments: [{ authorId: 1 }] }] });
    const many = ['Two', 'Three'].map((title) => ({ title, projectId: 1 }));
    expect((await call('bob', 'task/createMany', { data: many })).data).toEqual({ count: 2 });
    expect(await ids('bob', '/task?filter[createdById]=2&sort=id&fields[task]=title')).toEqual([6, 7]);
    const forged = { where: { id: 1 }, data: { comments: { create: { body: 'x', authorId: 1 } } } };
    expect((await call('bob', 'task/update', forged)).status).toBe(400);
    const [first] = many;
    expect((await call('bob', 'task/createMany', { data: [first, { ...first, createdById: 1 }] })).status).toBe(400);
    expect(await audited()).toEqual(['1@1 create Project', '1@1 create Task', '1@1 create Comment', '2@1 create Task', '2@1 create Task']);
  });

  it('no attachments and comments of a deleted task, and restores those that were deleted with it', async () => {
    await call('bob', 'comment/create', { data: { body: 'Nonsense.', taskId: 1 } });
    expect((await send('bob', 'DELETE', '/comment/3')).status).toBe(204);
    expect((await send('bob', 'DELETE', '/task/1')).status).toBe(204);
    const renamed = { data: { type: 'attachment', id: 1, attributes: { name: 'x' } } };
    expect([(await get('bob', '/attachment/1')).status, (await get('bob', '/comment/1')).status]).toEqual([404, 404]);
    expect((await send('bob', 'PATCH', '/attachment/1', renamed)).status).toBe(404);
    expect((await call('bob', 'task/complete', { where: { id: 1 } }, 'POST')).status).toBe(404);
    const comment = { data: { type: 'comment', attributes: { body: 'Late.', taskId: 1 } } };
    expect((await send('bob', 'POST', '/comment', comment)).status).toBe(404);
    expect((await call('bob', 'task/count')).data).toBe(1);
    expect((await call('bob', 'tag/findUnique', { where: { id: 1 }, include: { tasks: true } })).data).toMatchObject({ tasks: [] });
    expect((await call('bob', 'task/restore', { where: { id: 1 } }, 'POST')).status).toBe(200);
    expect([await ids('bob', '/attachment'), await ids('bob', '/comment')]).toEqual([[1], [1]]);
  });

  it('an audit entry for each record of a bulk write, and none for a write that is rolled back', async () => {
    const renamed = { where: {}, data: { title: 'Test the rocket' } };
    expect((await call('bob', 'task/updateMany', renamed)).data).toEqual({ count: 2 });
    const entries = await sample().prisma.auditEntry.findMany();
    // The second task has the new title already.
    expect(entries.map(({ changed }) => changed)).toEqual([['title', 'version'], ['version']]);
    const data = { title: 'x', projectId: 1, assigneeId: 1, comments: { create: { body: 'x' } }, tags: { connect: { id: 2 } } };
    expect((await call('bob', 'task/create', { data })).status).toBe(404);
    await settled();
    expect([(await audited()).length, await sample().prisma.task.count(), mail]).toEqual([2, 4, []]);
  });
}
