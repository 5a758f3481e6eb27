import { createRpcClient, type ExposedBy } from '../../../lib/client/index.js';
import { reactAdminDataProvider, type ResourceDefinition, resourceDefinitions } from '../../../lib/react-admin/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import type { resourceSchema } from '../../support/generated/resource-schema.js';
import { describeAdmin } from './admin-apps.js';

describeAdmin('the definitions of resources', (suite) => {
  async function definitionOf(name: string, grants?: string): Promise<ResourceDefinition> {
    const found = (await resourceDefinitions(suite.clientFor(grants))).find((definition) => definition.name === name);
    if (!found) throw new Error(`${name} is not defined.`);
    return found;
  }

  function inputs({ fields }: ResourceDefinition): Record<string, unknown> {
    return Object.fromEntries(
      fields.map(({ source, kind, reference, target }) => [source, [kind, reference, target].filter(Boolean).join(' ')]),
    );
  }

  it('have an input for each field, and the resources of relations', async () => {
    const post = await definitionOf('post');
    expect(post).toMatchObject({ name: 'post', representation: 'title', ids: ['tags'] });
    expect(post.may).toEqual({ list: true, show: true, create: true, edit: true, delete: true });
    expect(inputs(post)).toMatchObject({
      id: 'number',
      title: 'text',
      published: 'boolean',
      publishedAt: 'dateTime',
      rating: 'decimal',
      metadata: 'json',
      authorId: 'reference user',
      reviewerId: 'reference user',
      categoryId: 'reference category',
      comments: 'referencing comment post',
      tags: 'references tag posts',
    });
    expect(inputs(await definitionOf('user'))).toMatchObject({ role: 'select', posts: 'referencing post author' });
    expect(inputs(await definitionOf('profile'))).toMatchObject({ birthday: 'date', avatar: 'bytes', userId: 'reference user' });
    const required = post.fields.flatMap((field) => (field.required ? [field.source] : []));
    expect(required).toEqual(['title', 'authorId']);
    const role = (await definitionOf('user')).fields.find(({ source }) => source === 'role');
    expect(role?.choices).toEqual(['READER', 'AUTHOR', 'ADMIN'].map((value) => ({ id: value, name: value })));
    expect(JSON.parse(JSON.stringify(post))).toEqual(post);
  });

  it('have no fields, resources and rights that the caller does not have', async () => {
    const text = JSON.stringify(await resourceDefinitions(suite.clientFor('none')));
    expect(text).not.toMatch(/passwordHash|apiToken|loginCount|"email"|recoveryCode|reviewer|"order|refund/i);
    expect(inputs(await definitionOf('user', 'hr'))).toMatchObject({ loginCount: 'number', email: 'text' });
    const comment = await definitionOf('comment', 'none');
    expect(comment.may).toEqual({ list: true, show: true, create: true, edit: false, delete: false });
    expect((await definitionOf('comment', 'admin')).may).toMatchObject({ edit: true, delete: true });
  });

  it('require no input of a field that the caller may not create', async () => {
    const given = async (grants: string): Promise<readonly unknown[]> => {
      const { fields } = await definitionOf('profile', grants);
      return fields.flatMap(({ source, required, may }) => (source === 'userId' ? [required, may.create] : []));
    };
    expect(await given('none')).toEqual([false, false]);
    expect(await given('hr')).toEqual([true, true]);
    for (const { fields } of await resourceDefinitions(suite.clientFor('none'))) {
      expect(fields.filter(({ required, may }) => required && !may.create)).toEqual([]);
    }
  });

  it('are fetched for each client, and for its current caller', async () => {
    let grants = 'none';
    const client = createRpcClient({ endpoint: suite.endpoint, headers: () => ({ 'X-Grants': grants }) });
    const nameResources = async (): Promise<string[]> => (await resourceDefinitions(client)).map(({ name }) => name);
    expect(await nameResources()).not.toContain('order');
    grants = 'hr';
    expect(await nameResources()).toContain('order');
    const others = (await resourceDefinitions(suite.clientFor('none'))).map(({ name }) => name);
    expect(others).not.toContain('order');
    grants = 'none';
    const provider = reactAdminDataProvider(client);
    await expect(provider.getList('order', {})).rejects.toMatchObject({ status: 400 });
    await expect(provider.getList('order', {})).rejects.toMatchObject({ status: 404 });
  });

  it('are fetched once for all calls, and then revalidated, with a 304 without a body', async () => {
    const client = suite.clientFor();
    const provider = reactAdminDataProvider(client);
    await Promise.all([provider.getOne('post', { id: 1 }), provider.getOne('tag', { id: 1 }), provider.getMany('user', { ids: [1] })]);
    const described = (): number => suite.requests.filter((request) => request === 'GET $describe').length;
    await provider.getList('post', {});
    // On a slow machine, a description that is too old is validated on the way.
    expect(described() - suite.notModified()).toBe(1);
    expect(await resourceDefinitions(client)).toEqual(await resourceDefinitions(client));
    expect(described() - suite.notModified()).toBe(1);
    expect(suite.notModified()).toBeGreaterThanOrEqual(2);
  });

  it('are not cached after a failed fetch', async () => {
    let isUp = false;
    const client = createRpcClient({
      endpoint: suite.endpoint,
      fetch: (url, init) => (isUp ? fetch(url, init) : Promise.reject(new TypeError('down'))),
    });
    const provider = reactAdminDataProvider(client);
    await expect(provider.getOne('tag', { id: 1 })).rejects.toThrow('down');
    isUp = true;
    expect((await provider.getOne('tag', { id: 1 })).data).toEqual({ id: 1, name: 'typescript' });
  });

  it('need a client of createRpcClient, typed or not', () => {
    expect(() => reactAdminDataProvider({} as never)).toThrow(TypeError);
    const { endpoint } = suite;
    expect(reactAdminDataProvider(createRpcClient<PrismaClient>({ endpoint }))).toHaveProperty('getList');
    expect(reactAdminDataProvider(createRpcClient<PrismaClient, ExposedBy<typeof resourceSchema>>({ endpoint }))).toHaveProperty('act');
  });
});
