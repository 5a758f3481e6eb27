import { reactAdminDataProvider, type ResourceApiDataProvider, resourceDefinitions } from '../../../lib/react-admin/index.js';
import { refineDataProvider } from '../../../lib/refine/index.js';
import { describeTaskAdmin } from './admin-apps.js';

describeTaskAdmin('versions and soft delete of admin interfaces', (suite) => {
  let provider: ResourceApiDataProvider;
  beforeAll(() => {
    provider = reactAdminDataProvider(suite.clientFor());
  });
  const titleOf = async (id: number): Promise<string> => (await suite.database.prisma.task.findUniqueOrThrow({ where: { id } })).title;

  it('compares the version that the form has loaded', async () => {
    const { data: before } = await provider.getOne('task', { id: 1 });
    const { data: after } = await provider.update('task', { id: 1, data: { ...before, title: 'first' }, previousData: before });
    expect(after).toMatchObject({ title: 'first', version: Number(before.version) + 1 });
    const late = provider.update('task', { id: 1, data: { ...before, title: 'second' }, previousData: before });
    await expect(late).rejects.toMatchObject({ name: 'HttpError', status: 412, message: expect.any(String) as string });
    await expect(provider.delete('task', { id: 1, previousData: before })).rejects.toMatchObject({ status: 412 });
    expect(await titleOf(1)).toBe('first');
    expect((await provider.delete('task', { id: 1, previousData: after })).data).toMatchObject({ id: 1 });
  });

  it.each<[etag: string | number, status: number]>([
    [1, 200],
    ['1', 200],
    ['"1"', 200],
    ['*', 200],
    [2, 412],
    ['"2"', 412],
  ])('updates the version %j of meta.etag: %i', async (etag, status) => {
    const params = { id: 1, data: { title: 'x' }, previousData: { id: 1, version: 99 }, meta: { etag } };
    const answer = await provider.update('task', params).then(
      () => 200,
      (error: unknown) => (error as { status: number }).status,
    );
    expect(answer).toBe(status);
    expect(await titleOf(1)).toBe(status === 200 ? 'x' : 'one');
  });

  it('reads the record if nothing has changed, and does not increment the version', async () => {
    const { data: before } = await provider.getOne('task', { id: 1 });
    expect((await provider.update('task', { id: 1, data: before, previousData: before })).data).toEqual(before);
    const refine = refineDataProvider(suite.clientFor());
    const { version } = before as { readonly version?: number };
    for (const variables of [{}, { version }, { title: undefined }]) {
      const meta = { etag: version };
      expect((await refine.updateMany({ resource: 'task', ids: [1, 2], variables, meta })).data).toMatchObject([before, { id: 2 }]);
    }
    await expect(provider.updateMany('task', { ids: [1, 999], data: {} })).rejects.toMatchObject({ status: 404 });
    expect((await provider.getOne('task', { id: 1 })).data).toEqual(before);
  });

  it.each<[etag: string | number, status: number]>([
    [1, 200],
    ['"1"', 200],
    [2, 412],
  ])('updates and deletes several records of the version %j of meta.etag: %i', async (etag, status) => {
    const statusOf = (answer: Promise<unknown>): Promise<number> =>
      answer.then(
        () => 200,
        (error: unknown) => (error as { status: number }).status,
      );
    const meta = { etag };
    const refine = refineDataProvider(suite.clientFor());
    expect(await statusOf(refine.updateMany({ resource: 'task', ids: [1, 2], variables: { title: 'x' }, meta }))).toBe(status);
    expect(await titleOf(1)).toBe(status === 200 ? 'x' : 'one');
    // An update has incremented the version.
    if (status === 200) expect(await statusOf(provider.updateMany('task', { ids: [1, 2], data: { title: 'y', version: 1 } }))).toBe(412);
    expect(await statusOf(refine.deleteMany({ resource: 'task', ids: [1], meta: { etag: status === 200 ? 1 : 2 } }))).toBe(412);
    expect(await titleOf(1)).toBe(status === 200 ? 'x' : 'one');
    expect(await statusOf(provider.deleteMany('task', { ids: [1], meta: { etag: status === 200 ? 2 : 1 } }))).toBe(200);
  });

  it('soft-deletes and restores records', async () => {
    await provider.delete('task', { id: 3 });
    await expect(provider.getOne('task', { id: 3 })).rejects.toMatchObject({ status: 404 });
    expect((await provider.act('task', 'restore', { id: 3 })).data).toMatchObject({ id: 3, title: 'three' });
    expect((await provider.getOne('task', { id: 3 })).data).toMatchObject({ id: 3, deletedAt: null });
    await provider.deleteMany('task', { ids: [3, 5] });
    expect((await provider.getMany('task', { ids: [2, 3, 5] })).data.map(({ id }) => id as unknown)).toEqual([2]);
  });

  it('references records by a key other than the id through the relation', async () => {
    const attachment = (await resourceDefinitions(suite.clientFor())).find(({ name }) => name === 'attachment');
    const input = attachment?.fields.find(({ reference }) => reference === 'task');
    expect(input).toMatchObject({ source: 'task', kind: 'reference' });
    expect(attachment?.ids).toEqual(['task']);
    const { data } = await provider.getOne('attachment', { id: 1, meta: { ids: ['task'] } });
    expect(data).toMatchObject({ task: 1, taskCode: 'A' });
    const changed = await provider.update('attachment', { id: 1, data: { ...data, task: 2 }, previousData: data, meta: { ids: ['task'] } });
    expect(changed.data).toMatchObject({ task: 2, taskCode: 'B' });
    const none = await provider.update('attachment', { id: 1, data: { task: null }, previousData: changed.data, meta: { ids: ['task'] } });
    expect(none.data).toMatchObject({ task: null, taskCode: null });
  });
});
