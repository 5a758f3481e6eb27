import { withSqlReads } from '../../../lib/index.js';
import { sample } from '../../support/sample.js';
import { describeNames, NOTHING_CLOSED, RELATIONS } from './support/names-suite.js';

describeNames('arguments with fields that have the names of arguments', (suite) => {
  const { start } = suite;

  const tool = (update: object): readonly [string, object] => [
    'sensor/update',
    { where: { id: 1 }, data: { tool: { update } }, include: { tool: { include: { data: true, update: true, where: true } } } },
  ];

  /** A part of the names, whose tests represent the others. */
  const SOME = ['data', 'update', 'where', 'is'] as const;

  /** Valid writes, some of which are ambiguous for Prisma, and some of which it rejects. */
  const WRITES: readonly (readonly [operation: string, args: object])[] = [
    ...SOME.flatMap((name): readonly (readonly [string, object])[] => [
      ['tool/update', { where: { id: 1 }, data: { [name]: { update: { role: 'X' } } }, include: { [name]: true } }],
      ['tool/update', { where: { id: 1 }, data: { [name]: { update: { where: { id: RELATIONS[name] }, data: { role: 'X' } } } } }],
      ['tool/update', { where: { id: 1 }, data: { [name]: { create: { name: 'new' } } } }],
      ['tool/update', { where: { id: 1 }, data: { [name]: { connect: { id: 12 } } } }],
      ['tool/update', { where: { id: 1 }, data: { [name]: { connectOrCreate: { where: { id: 99 }, create: { name: 'new' } } } } }],
      ['tool/update', { where: { id: 1 }, data: { [name]: { upsert: { create: { name: 'new' }, update: { role: 'X' } } } } }],
      ['tool/update', { where: { id: 1 }, data: { [name]: { disconnect: true } } }],
      ['tool/update', { where: { id: 1 }, data: { [name]: { disconnect: { id: RELATIONS[name] } } } }],
      ['tool/update', { where: { id: 1 }, data: { [name]: { delete: true } } }],
      ['tool/create', { data: { name: 'four', [name]: { create: { name: 'new' } } } }],
    ]),
    ...SOME.filter((name) => name !== 'is').flatMap((name): readonly (readonly [string, object])[] => [
      ['account/update', { where: { id: 3 }, data: { [name]: { set: [{ id: 3 }] } }, include: { [name]: { orderBy: { id: 'asc' } } } }],
      ['account/update', { where: { id: 11 }, data: { [name]: { create: { name: 'five' } } } }],
      ['account/update', { where: { id: 11 }, data: { [name]: { createMany: { data: [{ name: 'five' }] } } } }],
      ['account/update', { where: { id: RELATIONS[name] }, data: { [name]: { update: { where: { id: 1 }, data: { name: 'x' } } } } }],
      [
        'account/update',
        { where: { id: RELATIONS[name] }, data: { [name]: { updateMany: { where: { delete: 'gone' }, data: { name: 'x' } } } } },
      ],
      ['account/update', { where: { id: RELATIONS[name] }, data: { [name]: { deleteMany: { delete: 'gone' } } } }],
      ['account/update', { where: { id: RELATIONS[name] }, data: { [name]: { disconnect: { id: 1 } } } }],
    ]),
    ['tool/update', { where: { id: 1 }, data: { delete: 'a', upsert: { set: 'b' }, isNot: null } }],
    ['sensor/update', { where: { id: 1 }, data: { update: { data: { role: 'ADMIN' } }, data: { create: { value: 5 } } } }],
    ['sensor/update', { where: { id: 1 }, data: { update: { set: { create: 1 } } } }],
    ['account/update', { where: { id: 1 }, data: { is: { update: { name: 'z' } } } }],
    ['account/update', { where: { id: 1 }, data: { is: { update: { data: { name: 'z' } } } } }],
    tool({ name: 'z' }),
    tool({ data: { name: 'z' } }),
    tool({ data: {} }),
    tool({ data: { update: { role: 'X' } } }),
    tool({ data: { update: { update: { role: 'X' } } } }),
    tool({ data: { data: { update: { role: 'X' } } } }),
    tool({ data: { connect: { id: 12 } } }),
    tool({ data: { connect: { connect: { id: 12 } } } }),
    tool({ data: { create: { name: 'new' } } }),
    tool({ data: { create: { create: { name: 'new' } } } }),
    tool({ data: { connect: { id: 12 } }, name: 'z' }),
    tool({ data: { name: 'y' }, name: 'z' }),
    tool({ where: { name: 'one' }, data: { name: 'z' } }),
    tool({ where: { name: 'two' }, data: { name: 'z' } }),
    tool({ where: { connect: { id: 6 } }, data: { connect: { connect: { id: 12 } } } }),
    tool({ where: { connect: { id: 11 } }, data: { connect: { id: 12 } } }),
    tool({ where: { update: { role: 'X' } }, data: { update: { role: 'Y' } } }),
    tool({ where: { update: { role: 'USER' } }, data: { name: 'z' } }),
    tool({ where: { update: { role: 'X' } } }),
    tool({ where: { name: 'one' } }),
    tool({ data: { nothing: 1 } }),
  ];

  it.each([
    ['without rules', undefined],
    ['under rules that close nothing', NOTHING_CLOSED],
  ])(
    'write the same as with Prisma, %s',
    async (_, rules) => {
      const { rpc } = await start('fastify', rules);
      const written: unknown[] = [];
      const expected: unknown[] = [];
      for (const [operation, args] of sample.oneIn(17, WRITES)) {
        const request = `${operation} ${JSON.stringify(args)}`;
        await suite.database.reset();
        expected.push([request, ...(await byPrisma(operation, args)), await suite.database.dump()]);
        await suite.database.reset();
        const { status, data } = await rpc(operation, args);
        written.push([request, status < 400 ? data : 'refused', await suite.database.dump()]);
        expect(status).toBeLessThan(500);
      }
      expect(written).toEqual(expected);
    },
    120_000,
  );

  async function byPrisma(operation: string, args: object): Promise<readonly [unknown]> {
    const [model = '', method = ''] = operation.split('/');
    const delegate = Reflect.get(suite.database.prisma, model) as Readonly<Record<string, (args: object) => Promise<unknown>>>;
    return [await delegate[method]?.(args).catch(() => 'refused')];
  }

  /** Filters on a target with a relation called `is`, a text called `isNot`, and a relation called `some`. */
  const FILTERS: readonly Readonly<Record<string, unknown>>[] = [
    { tool: { is: { id: 1 } } },
    { tool: { is: { role: 'USER' } } },
    { tool: { is: { is: { role: 'USER' } } } },
    { tool: { is: { is: { is: { name: 'one' } } } } },
    { tool: { isNot: 'no' } },
    { tool: { isNot: { equals: 'no' } } },
    { tool: { isNot: { not: 'no' } } },
    { tool: { isNot: { name: 'one' } } },
    { tool: { isNot: null } },
    { tool: { is: null } },
    { tool: { isNot: 'no', name: 'one' } },
    { tool: { is: { id: 1 }, name: 'one' } },
    { tool: { is: { id: 1 }, isNot: 'no' } },
    { tool: { is: { name: 'one' }, isNot: { name: 'two' } } },
    { tool: { is: {} } },
    { tool: { is: { isNot: { name: 'two' } } } },
    { tool: { some: { name: 'account 9' } } },
    { tool: { some: { some: { some: { name: 'one' } } } } },
    { tool: { some: { is: { name: 'account 9' } } } },
    { tool: { AND: [{ some: { id: 9 } }], data: { data: { every: { data: { id: 2 } } } } } },
    { data: { some: { value: 10 } } },
    { data: { every: { value: { gt: 9 } } } },
    { update: { path: ['set'], equals: 1 } },
    { update: { equals: { set: 1 } } },
    { owner: { is: { is: { name: 'one' } } } },
    { owner: { is: { name: 'one' } } },
    { owner: { isNot: { is: { name: 'one' } } } },
  ];

  it.each([
    ['without rules', undefined, false],
    ['under rules that close nothing', NOTHING_CLOSED, false],
    ['with SQL reads', undefined, true],
    ['under rules that close nothing, with SQL reads', NOTHING_CLOSED, true],
  ])('filter like Prisma, %s', async (_, rules, inSql) => {
    const { prisma } = suite.database;
    const { rpc } = await start('fastify', rules, inSql ? withSqlReads(prisma) : prisma);
    for (const where of sample.oneIn(11, FILTERS)) {
      const args = { where, orderBy: { id: 'asc' }, select: { id: true } };
      const [expected] = await byPrisma('sensor/findMany', args);
      const { status, data } = await rpc('sensor/findMany', args);
      expect([where, status, data]).toEqual([where, 200, expected]);
    }
  });

  it('filter in rules like Prisma', async () => {
    for (const where of sample.oneIn(17, FILTERS)) {
      const [expected] = await byPrisma('sensor/findMany', { where, orderBy: { id: 'asc' }, select: { id: true } });
      const { rpc } = await start('fastify', { ...NOTHING_CLOSED, Sensor: { read: where } });
      const { status, data } = await rpc('sensor/findMany', { orderBy: { id: 'asc' }, select: { id: true } });
      expect([where, status, data]).toEqual([where, 200, expected]);
    }
  });
});
