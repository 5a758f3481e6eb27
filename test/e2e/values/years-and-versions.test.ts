import { expect, it } from '@jest/globals';
import { openValues, VALUES_TABLES, valuesSchema } from '../../support/values/values-database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { type Send, TwoWriters } from '../sql/two-writers.js';

onDatabases('postgresql-server').describe('in SQL and by Prisma', () => {
  const writers = new TwoWriters({
    open: openValues,
    restore: ({ reset }) => reset(),
    tables: VALUES_TABLES,
    app: {
      options: {
        schema: valuesSchema,
        resources: Object.fromEntries(['Int', 'SmallInt', 'BigInt'].map((name) => [`Version${name}`, { concurrency: 'required' }])),
      },
    },
  });

  it.each<[status: number, year: string]>([
    [201, '0001-01-02'],
    [201, '0099-01-02'],
    [201, '0999-12-31'],
    [201, '9999-12-30'],
    [400, '0000-01-01'],
    [400, '-000001-01-01'],
    [400, '+010000-01-01'],
  ])('a date has the same result, or is rejected before anything is written: %d %s', async (status, day) => {
    const at = `${day}T00:00:00.000Z`;
    for (const key of ['stamp', 'zoned', 'micros', 'date']) {
      const target = `key${key.charAt(0).toUpperCase()}${key.slice(1)}`;
      const create: Send = ({ rest }) => rest.post(`/${target}`, { data: { type: target, id: at, attributes: { label: 'new' } } });
      expect([target, await writers.compare(create)]).toEqual([target, [status]]);
      const value: Send = ({ rest }) => rest.post(`/value?fields[value]=${key}`, { data: { type: 'value', attributes: { [key]: at } } });
      expect([key, await writers.compare(value)]).toEqual([key, [status]]);
    }
  });

  it.each(['versionInt', 'versionSmallInt', 'versionBigInt'])('a version has a strong tag that a write requires: %s', async (type) => {
    const { fast, plain } = writers.started;
    for (const app of [fast, plain]) {
      await writers.restore();
      const { rest, rpc } = app;
      const read = await rest.get(`/${type}/2`);
      expect([read.headers['etag'], read.one.meta]).toMatchObject([expect.stringMatching(/^"2\./), { etag: '"2"' }]);
      expect((await rest.get(`/${type}`)).many.map(({ meta }) => meta)).toMatchObject([{ etag: '"1"' }, { etag: '"2"' }]);
      const data = { data: { type, id: 2, attributes: { label: 'x' } } };
      const written = await rest.patch(`/${type}/2`, data, { 'If-Match': '"2"' });
      expect([written.status, written.one.meta]).toMatchObject([200, { etag: '"3"' }]);
      expect((await rest.patch(`/${type}/2`, data, { 'If-Match': String(read.headers['etag']) })).status).toBe(412);
      expect((await rest.patch(`/${type}/2`, data, { 'If-Match': String(written.headers['etag']) })).status).toBe(200);
      expect((await rest.patch(`/${type}/2`, data)).status).toBe(428);
      const version = type === 'versionBigInt' ? 4n : 4;
      const args = { where: { id: 2, version }, data: { label: 'y' } };
      expect((await rpc.call(`${type}/update`, args)).status).toBe(200);
      expect((await rpc.call(`${type}/update`, args)).status).toBe(412);
      expect((await rest.delete(`/${type}/2`, undefined, { 'If-Match': '"5"' })).status).toBe(204);
    }
  });
});
