import { type CanParams, type CanReturnType, Refine, useCanWithoutCache, useDataProvider } from '@refinedev/core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { refineAccessControlProvider, refineDataProvider } from '../../../lib/refine/index.js';
import { describeAdmin } from './admin-apps.js';

describeAdmin('access control of refine', (suite) => {
  const can = (params: CanParams, grants = 'none'): Promise<CanReturnType> =>
    refineAccessControlProvider(suite.clientFor(grants)).can(params);

  it.each<[resource: string, action: string, grants: string, allowed: boolean]>([
    ['post', 'list', 'none', true],
    ['post', 'show', 'none', true],
    ['post', 'create', 'none', true],
    ['post', 'clone', 'none', true],
    ['post', 'edit', 'none', true],
    ['post', 'delete', 'none', true],
    ['comment', 'edit', 'none', false],
    ['comment', 'edit', 'admin', true],
    ['comment', 'delete', 'none', false],
    ['order', 'list', 'none', false],
    ['order', 'list', 'hr', true],
    ['order', 'list', 'admin', false],
    ['order', 'create', 'hr', true],
    ['orderLine', 'create', 'hr', false],
    ['orderLine', 'clone', 'hr', false],
    ['post', 'publish', 'none', true],
    ['post', 'unpublish', 'none', false],
    ['refund', 'list', 'hr admin', false],
    ['__proto__', 'list', 'hr', false],
    ['post', 'constructor', 'hr', false],
  ])('answers for the resource %s and the action %s of a caller with the grants %s: %s', async (resource, action, grants, allowed) => {
    const answer = await can({ resource, action }, grants);
    expect(answer.can).toBe(allowed);
    if (!allowed) expect(answer.reason).toEqual(expect.any(String));
  });

  it.each<[field: string, action: string, grants: string, allowed: boolean]>([
    ['loginCount', 'field', 'none', false],
    ['loginCount', 'field', 'hr', true],
    ['loginCount', 'edit', 'admin', true],
    ['loginCount', 'edit', 'none', false],
    ['loginCount', 'create', 'hr', false],
    ['passwordHash', 'field', 'hr admin', false],
    ['posts', 'show', 'none', true],
    ['name', 'edit', 'none', true],
  ])('answers for the field %s and the action %s of a caller with the grants %s: %s', async (field, action, grants, allowed) => {
    expect(await can({ resource: 'user', action, params: { field } }, grants)).toMatchObject({ can: allowed });
  });

  it('reads the name of a resource, and allows pages without a resource', async () => {
    const params = { resource: { name: 'order', identifier: 'sales', children: [] } };
    expect(await can({ resource: 'sales', action: 'list', params }, 'hr')).toEqual({ can: true });
    expect(await can({ action: 'list' })).toEqual({ can: true });
  });

  it('rejects if the description cannot be fetched', async () => {
    const client = suite.clientFor().$with({ signal: AbortSignal.abort(new Error('gone')) });
    await expect(refineAccessControlProvider(client).can({ resource: 'post', action: 'list' })).rejects.toThrow('gone');
  });

  it('works with the hooks of refine, beside the data provider', async () => {
    const client = suite.clientFor('hr');
    const used: { can?: (params: CanParams) => Promise<CanReturnType>; data?: ReturnType<typeof useDataProvider> } = {};
    const Capture = (): null => {
      const { can: canUse } = useCanWithoutCache();
      if (canUse) used.can = canUse;
      used.data = useDataProvider();
      return null;
    };
    const providers = { dataProvider: refineDataProvider(client), accessControlProvider: refineAccessControlProvider(client) };
    const options = { disableTelemetry: true, disableRouteChangeHandler: true };
    renderToString(createElement(Refine, { ...providers, resources: [{ name: 'order' }], options }, createElement(Capture)));
    expect(await used.can?.({ resource: 'order', action: 'list', params: { resource: { name: 'order' } } })).toEqual({ can: true });
    expect(await used.can?.({ resource: 'order', action: 'delete', params: { resource: { name: 'order' } } })).toMatchObject({
      can: false,
    });
    const list = await used.data?.().getList({ resource: 'order', pagination: { currentPage: 1, pageSize: 2 } });
    expect(list).toMatchObject({ total: 4, data: [{ id: '1' }, { id: '2' }] });
  });
});
