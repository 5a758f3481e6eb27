import { describe, expect, it } from '@jest/globals';
import { sample } from '../../support/sample.js';
import { sendRequest } from '../../support/send-request.js';
import { useValueRoads } from './value-roads.js';

const DATES = ['infinity', '-infinity', '0044-03-15 BC', '0001-12-31 BC', '10000-01-01', '12000-01-01', '20000-01-01', '294000-01-01'];

/** Columns that hold a date, or a list of dates; years of a timestamp end with 294276. */
const COLUMNS = ['stamp', 'requiredStamp', 'instant', 'day', 'stamps', 'instants', 'days'];

const ROWS = COLUMNS.flatMap((column) => DATES.map((date) => [column, date] as const));

describe('dates that JavaScript cannot represent', () => {
  const { database, engines, roads } = useValueRoads();

  async function store(column: string, date: string): Promise<void> {
    const value = column.endsWith('s')
      ? `ARRAY['${date}']::${column === 'days' ? 'date' : column === 'stamps' ? 'timestamp' : 'timestamptz'}[]`
      : `'${date}'`;
    await database().prisma.$executeRawUnsafe(`UPDATE "Value" SET "${column}" = ${value} WHERE id = 1`);
  }

  it.each(sample.oneIn(4, ROWS))('make a read a 500 and not null if %s is %s', async (column, date) => {
    await store(column, date);
    for (const { read, name } of roads()) {
      if (name.includes('nested')) continue;
      const { status, text } = await read(1);
      expect([name, status, text.includes('null,')]).toEqual([name, 500, false]);
      expect((await read(2)).status).toBe(200);
    }
  });

  it.each([
    ['GET', '/api/rest/value'],
    ['GET', '/api/rest/holder/1?include=values'],
    ['GET', '/api/rest/holder/1/values'],
    ['GET', '/api/rpc/value/findMany'],
    ['GET', `/api/rpc/holder/findMany?q=${encodeURIComponent('{"include":{"values":true}}')}`],
    ['GET', `/api/rpc/value/groupBy?q=${encodeURIComponent('{"by":["stamp"]}')}`],
    ['GET', `/api/rpc/value/aggregate?q=${encodeURIComponent('{"_max":{"stamp":true}}')}`],
  ] as const)('make %s %s a 500', async (method, path) => {
    await store('stamp', 'infinity');
    for (const { app, name } of engines()) {
      expect([name, (await sendRequest(app.agent, { method, path })).status]).toEqual([name, 500]);
    }
  });

  it.each([
    ['GET', '/api/rest/value?fields[value]=int,day'],
    ['GET', '/api/rest/value?fields[value]=int&sort=stamp'],
    ['GET', `/api/rpc/value/findMany?q=${encodeURIComponent('{"select":{"id":true}}')}`],
    ['GET', `/api/rpc/value/count`],
  ] as const)('do not affect %s %s, which does not select them', async (method, path) => {
    await store('stamp', 'infinity');
    for (const { app, name } of engines()) {
      expect([name, (await sendRequest(app.agent, { method, path })).status]).toEqual([name, 200]);
    }
  });

  it('cannot be in a cursor', async () => {
    await store('stamp', 'infinity');
    for (const { app, name } of engines()) {
      const response = await sendRequest(app.agent, {
        method: 'GET',
        path: '/api/rest/value?fields[value]=int&sort=stamp&page[size]=1&page[after]=',
      });
      expect([name, response.status]).toEqual([name, 400]);
    }
  });
});
