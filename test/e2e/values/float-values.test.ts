import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sample } from '../../support/sample.js';
import { sendRequest } from '../../support/send-request.js';
import { type Outcome, type Road, useValueRoads } from './value-roads.js';

const NUMBERS = [
  ...[
    0,
    -0,
    1,
    -1.5,
    0.1,
    0.30000000000000004,
    1234567890123456.7,
    123456789.123456789,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 63,
    -(2 ** 63),
    1e15,
    1e21,
  ],
  ...[1e-7, 5e-324, 2.2250738585072014e-308, 1.7976e308, 1.797693134862315e308, Number.MAX_VALUE, -Number.MAX_VALUE, 999999999999999.9],
];

const float = fc.oneof(fc.constantFrom(...NUMBERS), fc.double({ noNaN: true, noDefaultInfinity: true }));

describe('floats', () => {
  const { database, engines, roads } = useValueRoads();

  /** Zero has one form. */
  const textOf = ({ fields }: Outcome): string => JSON.stringify([fields['float'], fields['floats']]);

  async function expectKept(road: Road, float: number, floats: readonly number[]): Promise<void> {
    const created = await road.create({ float, floats });
    expect([created.status, created.text]).toEqual([201, created.text]);
    const { id } = created;
    const expected = JSON.stringify([float, floats]);
    expect(textOf(created)).toBe(expected);
    const readers = roads().filter(({ name }) => !name.includes('nested') || road.name.includes('nested'));
    for (const reader of readers) {
      expect(textOf(await reader.read(id))).toBe(expected);
      expect((await reader.find('float', float)).ids).toContain(id);
    }
    for (const reader of readers.filter(({ name }) => name.startsWith('RPC'))) {
      const wheres = [{ float: { in: [float, 7] } }, { floats: { equals: floats } }, { floats: { hasEvery: floats } }];
      for (const where of floats.length > 0 ? wheres : wheres.slice(0, 2)) expect((await reader.findWhere(where)).ids).toContain(id);
    }
  }

  it('are returned as they were written, and match filters, by every style and engine', async () => {
    await fc.assert(
      fc.asyncProperty(float, fc.array(float, { maxLength: 3 }), fc.nat(14), async (value, values, index) => {
        const road = roads()[index];
        if (road) await expectKept(road, value, values);
      }),
      { numRuns: sample.choose(10, 60) },
    );
  }, 600_000);

  it.each(['NaN', 'Infinity', '-Infinity'])(
    'that are %s are returned as that text, also in lists, and rejected in requests',
    async (text) => {
      await database().prisma.$executeRawUnsafe(
        `UPDATE "Value" SET "float" = '${text}', "floats" = '{1,${text}}', "real" = '${text}' WHERE id = 1`,
      );
      for (const road of roads()) {
        if (road.name.includes('nested')) continue;
        const { status, fields } = await road.read(1);
        expect([status, fields['float'], fields['floats'], fields['real']]).toEqual([200, text, [1, text], text]);
        const written = await road.update(2, { float: text });
        expect([written.status, written.text]).toEqual([400, expect.stringContaining('must be a finite number')]);
        expect((await road.update(2, { floats: [text] })).status).toBe(400);
      }
    },
  );

  it('that are -0 are returned as the number 0, also in lists, and can be written', async () => {
    await database().prisma.$executeRawUnsafe(`UPDATE "Value" SET "float" = '-0', "floats" = '{-0,1}' WHERE id = 1`);
    for (const { app } of engines()) {
      const rest = await sendRequest(app.agent, { method: 'GET', path: '/api/rest/value/1?fields[value]=float,floats' });
      expect(rest.text).toContain('"float":0,"floats":[0,1]');
      expect(rest.text).not.toContain('number');
      const rpc = await sendRequest(app.agent, {
        method: 'GET',
        path: `/api/rpc/value/findMany?q=${encodeURIComponent('{"where":{"id":1},"select":{"float":true,"floats":true}}')}`,
      });
      expect(rpc.text).toBe('{"data":[{"float":0,"floats":[0,1]}]}');
    }
  });
});
