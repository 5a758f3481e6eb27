import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ResourceObject } from '../../support/json-api-document.js';
import { sample } from '../../support/sample.js';
import type { ApiDescription, ModelDescription } from '../../../lib/client/index.js';
import {
  type Caller,
  describeRealApplication,
  loadSample,
  type RealApplication,
  type RealSample,
  SAMPLE,
  TABLES,
} from './real-application-app.js';
import { describeRefusals } from './real-application-refusals.js';

sample.omitted.describe('sample/real-application', () => {
  let loaded: RealSample;
  let file: string;
  beforeAll(async () => {
    loaded = await loadSample();
    await loaded.openDatabase();
    [{ file } = { file: '' }] = await loaded.prisma.$queryRawUnsafe('PRAGMA database_list');
    // The file need not survive a crash of the machine.
    await loaded.prisma.$queryRawUnsafe('PRAGMA synchronous = OFF');
  });
  beforeEach(async () => {
    for (const table of TABLES) await loaded.prisma.$executeRawUnsafe(`DELETE FROM "${table}"`);
    await loaded.prisma.$executeRawUnsafe('DELETE FROM sqlite_sequence');
    await loaded.seed();
  });
  afterAll(async () => {
    await loaded.prisma.$disconnect();
    rmSync(dirname(file), { recursive: true });
  });

  it('has less than 150 lines of code without its schema and seed', () => {
    const files = readdirSync(SAMPLE).filter((name) => name.endsWith('.ts') && name !== 'seed.ts');
    const lines = files.flatMap((name) => readFileSync(new URL(name, SAMPLE), 'utf8').split('\n'));
    const code = lines.filter((line) => !/^\s*(?:\/\/.*|\/\*\*.*|\*.*)?$/.test(line));
    expect(files.length).toBeGreaterThan(5);
    expect(code.length).toBeGreaterThan(100);
    expect(code.length).toBeLessThan(150);
  });

  describeRealApplication(
    () => loaded,
    (application) => {
      describeFeatures(application);
      describeRefusals(application);
    },
  );
});

function describeFeatures(application: RealApplication): void {
  const { sample, tokenOf, getWithToken, get, send, call, batch, ids, audited, mail, settled } = application;
  const newTask = (attributes: object): object => ({ data: { type: 'task', attributes } });

  it('no caller without the token of a member', async () => {
    expect((await getWithToken('/task')).status).toBe(401);
    const claimed = [{ sub: 4, org: 1 }, { sub: 1 }, {}, { sub: 'x', org: 1 }, { sub: { gt: 0 }, org: 1 }];
    const statuses: number[] = [];
    for (const claims of claimed) statuses.push((await getWithToken('/task', tokenOf(claims))).status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect((await getWithToken('/task', 'Bearer x.y.z')).status).toBe(401);
  });

  it('$describe with the rights that grants and rules give each caller', async () => {
    const described = async (caller: Caller, model: string): Promise<ModelDescription | undefined> => {
      const { status, text } = await call(caller, `$describe/${model}`);
      return status === 200 ? (JSON.parse(text) as { readonly data: ApiDescription }).data.models[0] : undefined;
    };
    // Only admins write memberships, by a rule that is false for all others. Only HR reads salaries, by a grant.
    const [ann, bob, hana] = [
      await described('ann', 'membership'),
      await described('bob', 'membership'),
      await described('hana', 'membership'),
    ];
    expect(ann?.operations).toEqual(expect.arrayContaining(['findMany', 'create', 'update', 'delete']));
    expect(bob?.operations).toContain('findMany');
    expect(bob?.operations.filter((name) => /^(?:create|update|upsert|delete)/.test(name))).toEqual([]);
    const salaryOf = (one: typeof ann): unknown => one?.fields.find(({ name }) => name === 'salary')?.rights.includes('read');
    expect([salaryOf(ann), salaryOf(bob), salaryOf(hana)]).toEqual([undefined, undefined, true]);
    expect(await described('ann', 'auditEntry')).toMatchObject({ model: 'auditEntry' });
    expect(await described('bob', 'auditEntry')).toBeUndefined();
    expect((await described('bob', 'task'))?.actions.map(({ name }) => name)).toContain('restore');
  });

  it.each(['organization', 'project', 'payment', 'tag', 'attachment', 'comment'])(
    'members only with the %ss of their organization',
    async (type) => {
      expect(await ids('bob', `/${type}?sort=id`)).toEqual([1]);
      expect(await ids('cleo', `/${type}?sort=id`)).toEqual([2]);
      expect((await get('ann', `/${type}/2`)).status).toBe(404);
      expect((await call('ann', `${type}/findUnique`, { where: { id: 2 } })).data).toBeNull();
    },
  );

  it('only users of the organization, without their passwords', async () => {
    expect(await ids('ann', '/user?sort=id')).toEqual([1, 2, 3]);
    expect(await ids('bobAtGlobex', '/user?sort=id')).toEqual([2, 4]);
    expect((await get('ann', '/user/1')).one.attributes).toEqual({ email: 'ann@example.com', name: 'Ann' });
    expect((await get('ann', '/user?filter[passwordHash]=x')).status).toBe(400);
    const { data } = await call('ann', 'user/findUnique', { where: { id: 2 }, include: { memberships: true } });
    expect(data).toMatchObject({ memberships: [{ organizationId: 1 }] });
  });

  it('salaries only to HR', async () => {
    const path = '/membership?fields[membership]=salary&sort=salary';
    expect((await get('hana', path)).many.map(({ attributes }) => attributes['salary'])).toEqual(['60000', '70000', '90000']);
    expect((await get('ann', path)).status).toBe(400);
    expect((await get('bob', '/membership/1_2')).one.attributes).toEqual({ organizationId: 1, userId: 2, role: 'MEMBER' });
    expect((await call('bob', 'membership/aggregate', { _avg: { salary: true } })).status).toBe(400);
    expect((await call('bob', 'membership/count', { where: { salary: { gt: 1 } } })).status).toBe(400);
    expect((await call('hana', 'membership/count', { where: { salary: { gt: 60000 } } })).data).toBe(2);
  });

  it('a new task with its creator and organization from the token, and with mail to its assignee', async () => {
    const { status, one } = await send('bob', 'POST', '/task', newTask({ title: 'Refuel', projectId: 1, assigneeId: 1 }));
    expect([status, one.attributes]).toEqual([201, expect.objectContaining({ createdById: 2, organizationId: 1, completedAt: null })]);
    const { data } = await call('ann', 'task/create', { data: { title: 'Count down', project: { connect: { id: 1 } } } });
    expect(data).toMatchObject({ createdById: 1, organizationId: 1 });
    await settled();
    expect(mail).toEqual(['ann@example.com: New for you: Refuel']);
    for (const attributes of [{ createdById: 1 }, { organizationId: 2 }, { completedAt: '2026-01-01T00:00:00Z' }]) {
      const refused = await send('bob', 'POST', '/task', newTask({ title: 'x', projectId: 1, ...attributes }));
      expect(refused.status).toBe(400);
    }
  });

  it('no task in a project of another organization, nor with an assignee of another one', async () => {
    expect((await send('bob', 'POST', '/task', newTask({ title: 'x', projectId: 2 }))).status).toBe(404);
    expect((await send('ann', 'POST', '/task', newTask({ title: 'x', projectId: 1, assigneeId: 4 }))).status).toBe(404);
    expect((await call('ann', 'task/update', { where: { id: 3 }, data: { title: 'x' } })).status).toBe(404);
    expect((await call('ann', 'task/updateMany', { where: {}, data: { title: 'mine' } })).data).toEqual({ count: 2 });
    expect(await sample().prisma.task.count({ where: { title: 'mine' } })).toBe(2);
    await settled();
    expect(mail).toEqual([]);
  });

  it('updates of comments only by their authors', async () => {
    const body = { data: { type: 'comment', id: 1, attributes: { body: 'changed' } } };
    expect((await send('ann', 'PATCH', '/comment/1', body)).status).toBe(403);
    expect((await send('bobAtGlobex', 'PATCH', '/comment/1', body)).status).toBe(404);
    expect((await send('bob', 'PATCH', '/comment/1', body)).one.attributes).toMatchObject({ body: 'changed', authorId: 2 });
    expect((await send('ann', 'DELETE', '/comment/1')).status).toBe(403);
    const { data } = await call('hana', 'comment/create', { data: { body: 'Fine.', taskId: 1 } });
    expect(data).toMatchObject({ authorId: 3 });
    expect((await call('hana', 'comment/create', { data: { body: 'Fine.', taskId: 3 } })).status).toBe(404);
  });

  it('the action that completes a task, once', async () => {
    const { status, one } = await send('bob', 'POST', '/task/1/complete');
    expect([status, typeof one.attributes['completedAt']]).toEqual([200, 'string']);
    expect((await send('bob', 'POST', '/task/1/complete')).status).toBe(409);
    expect((await send('bob', 'POST', '/task/3/complete')).status).toBe(404);
    const { data } = await call('bob', 'task/complete', { where: { id: 2 } }, 'POST');
    expect(data).toMatchObject({ id: 2, completedAt: expect.any(Date) as Date });
    expect(await audited()).toEqual(['2@1 update Task', '2@1 update Task']);
  });

  it('no soft-deleted record, nor its dependents, until it is restored', async () => {
    expect((await send('bob', 'DELETE', '/project/1')).status).toBe(204);
    expect([await ids('bob', '/project'), await ids('bob', '/task'), await ids('bob', '/comment')]).toEqual([[], [], []]);
    expect((await send('bob', 'POST', '/task', newTask({ title: 'x', projectId: 1 }))).status).toBe(404);
    expect(await ids('ann', '/task?sort=id&filter[deletedAt][$gte]=2020-01-01T00:00:00Z')).toEqual([1, 2]);
    expect(await ids('cleo', '/task?sort=id')).toEqual([3, 4]);
    const count = async (): Promise<readonly number[]> =>
      Promise.all([sample().prisma.project.count(), sample().prisma.task.count(), sample().prisma.comment.count()]);
    expect(await count()).toEqual([2, 4, 2]);
    expect((await send('cleo', 'POST', '/project/1/restore')).status).toBe(404);
    expect((await send('bob', 'POST', '/project/1/restore')).status).toBe(200);
    expect([await ids('bob', '/project'), await ids('bob', '/task?sort=id'), await ids('bob', '/comment')]).toEqual([[1], [1, 2], [1]]);
  });

  it('an audit entry for each written record, also nested and cascaded ones, only to admins', async () => {
    const comments = { create: [{ body: 'One' }, { body: 'Two' }] };
    await call('bob', 'task/create', { data: { title: 'Nested', projectId: 1, comments } });
    await call('bob', 'task/delete', { where: { id: 1 } });
    const created = ['2@1 create Task', '2@1 create Comment', '2@1 create Comment'];
    expect(await audited()).toEqual([...created, ...(await audited()).slice(3)]);
    expect((await audited()).slice(3).sort()).toEqual(['2@1 delete Attachment', '2@1 delete Comment', '2@1 delete Task']);
    expect(await ids('ann', '/auditEntry?filter[model]=Comment&filter[action]=create&sort=id')).toEqual([2, 3]);
    expect(await ids('cleo', '/auditEntry')).toEqual([]);
    expect((await get('bob', '/auditEntry')).status).toBe(404);
    expect((await send('ann', 'DELETE', '/auditEntry/1')).status).toBe(403);
  });

  it('neither audit entries nor mail of a failed batch', async () => {
    const operations = [
      { model: 'task', op: 'create', args: { data: { title: 'x', projectId: 1, assigneeId: 1 } } },
      { model: 'tag', op: 'create', args: { data: { name: 'urgent' } } },
    ];
    expect((await batch('bob', operations)).status).toBe(400);
    const last = { ...operations[1], args: { data: { name: 'later' } } } as (typeof operations)[number];
    expect([await audited(), await sample().prisma.task.count()]).toEqual([[], 4]);
    expect((await batch('bob', [...operations.slice(0, 1), last])).status).toBeLessThan(300);
    await settled();
    expect([await audited(), mail]).toEqual([['2@1 create Task', '2@1 create Tag'], ['ann@example.com: New for you: x']]);
  });

  it('admins who manage members and payments, which others read', async () => {
    const membership = (role: string): object => ({ data: { type: 'membership', id: '1_2', attributes: { role } } });
    expect((await send('bob', 'PATCH', '/membership/1_2', membership('ADMIN'))).status).toBe(403);
    expect((await send('cleo', 'PATCH', '/membership/1_2', membership('ADMIN'))).status).toBe(404);
    expect((await send('ann', 'PATCH', '/membership/1_2', membership('HR'))).one.attributes).toMatchObject({ role: 'HR' });
    // The token is unchanged, but its rights have changed.
    expect((await get('bob', '/membership?fields[membership]=salary')).status).toBe(200);
    const payment: { readonly data: Partial<ResourceObject> } = { data: { type: 'payment', attributes: { amount: '10.5' } } };
    expect((await send('bob', 'POST', '/payment', payment)).status).toBe(403);
    expect((await send('ann', 'POST', '/payment', payment)).one.attributes).toMatchObject({ amount: '10.5', organizationId: 1 });
    expect((await send('ann', 'DELETE', '/payment/1')).status).toBe(403);
  });
}
