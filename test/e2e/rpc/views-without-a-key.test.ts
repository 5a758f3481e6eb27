import { appsOnSchema } from '../../support/apps-on-schema.js';
import { onPlatforms } from '../../support/test-app.js';

const SCHEMA = {
  name: 'views_without_a_key',
  models: `model User {
  id Int @id
  name String
  stats Stat[]
  marks Mark[]
}
model Mark {
  id Int @id
  userId Int
  user User @relation(fields: [userId], references: [id])
}
view Stat {
  isOdd Boolean
  userId Int
  n Int
  code String? @unique
  extra Json?
  user User? @relation(fields: [userId], references: [id])
}
view Flag {
  isOn Boolean
}`,
  views: ['Stat', 'Flag'],
  sql: `INSERT INTO "User" VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cy');
    INSERT INTO "Mark" VALUES (1, 1), (2, 1), (3, 2);
    CREATE VIEW "Stat" AS SELECT id % 2 = 1 AS "isOdd", id AS "userId", 10 - id AS n, CASE WHEN id = 1 THEN 'c' END AS code, NULL::jsonb AS extra FROM "User"
      UNION ALL SELECT false, 1, 0, NULL, NULL;
    CREATE VIEW "Flag" AS SELECT true AS "isOn";`,
};

const STATS = [
  { isOdd: false, userId: 1, n: 0, code: null, extra: null },
  { isOdd: false, userId: 2, n: 8, code: null, extra: null },
  { isOdd: true, userId: 1, n: 9, code: 'c', extra: null },
  { isOdd: true, userId: 3, n: 7, code: null, extra: null },
];
const [FIRST, SECOND, THIRD, FOURTH] = STATS as [object, object, object, object];

onPlatforms('views without a key', (platform) => {
  const rules = { '*': { read: true }, 'Stat': { read: { n: { gte: 0 } } } };
  const apps = appsOnSchema(platform, SCHEMA, [{}, { rules }, { limits: { maxTake: 4 } }]);

  it.each<[string, object, unknown]>([
    ['stat/findMany', {}, STATS],
    ['stat/findMany', { where: { n: { gt: 8 } } }, [THIRD]],
    ['stat/findMany', { where: { OR: [] } }, []],
    ['flag/findMany', { where: { OR: [] } }, []],
    ['flag/findMany', {}, [{ isOn: true }]],
    ['stat/findMany', { select: { n: true } }, [{ n: 0 }, { n: 8 }, { n: 9 }, { n: 7 }]],
    ['stat/findMany', { orderBy: { isOdd: 'asc' }, take: 3 }, [FIRST, SECOND, THIRD]],
    ['stat/findMany', { orderBy: { isOdd: 'desc' }, take: 2, skip: 1 }, [FOURTH, FIRST]],
    ['stat/findMany', { orderBy: { n: 'asc' }, distinct: ['n'], select: { n: true } }, [{ n: 0 }, { n: 7 }, { n: 8 }, { n: 9 }]],
    ['stat/findMany', { distinct: ['isOdd'], orderBy: { n: 'asc' }, select: { isOdd: true } }, [{ isOdd: false }, { isOdd: true }]],
    ['stat/findFirst', { orderBy: { n: 'desc' } }, THIRD],
    ['stat/count', {}, 4],
    ['stat/aggregate', { _sum: { n: true }, orderBy: { n: 'asc' }, take: 2 }, { _sum: { n: 7 } }],
    [
      'stat/groupBy',
      { by: ['isOdd'], _count: true, orderBy: { isOdd: 'asc' } },
      [
        { isOdd: false, _count: 2 },
        { isOdd: true, _count: 2 },
      ],
    ],
    [
      'stat/findMany',
      { orderBy: { n: 'asc' }, select: { n: true, user: { select: { marks: { select: { id: true }, orderBy: { id: 'asc' } } } } } },
      [
        { n: 0, user: { marks: [{ id: 1 }, { id: 2 }] } },
        { n: 7, user: { marks: [] } },
        { n: 8, user: { marks: [{ id: 3 }] } },
        { n: 9, user: { marks: [{ id: 1 }, { id: 2 }] } },
      ],
    ],
    [
      'user/findMany',
      { include: { stats: true } },
      [
        { id: 1, name: 'Ann', stats: [FIRST, THIRD] },
        { id: 2, name: 'Bob', stats: [SECOND] },
        { id: 3, name: 'Cy', stats: [FOURTH] },
      ],
    ],
    [
      'user/findMany',
      { select: { id: true, stats: { select: { n: true }, orderBy: { isOdd: 'asc' }, take: 1 }, _count: { select: { stats: true } } } },
      [
        { id: 1, stats: [{ n: 0 }], _count: { stats: 2 } },
        { id: 2, stats: [{ n: 8 }], _count: { stats: 1 } },
        { id: 3, stats: [{ n: 7 }], _count: { stats: 1 } },
      ],
    ],
    [
      'user/findUnique',
      { where: { id: 1 }, select: { stats: { select: { user: { select: { marks: { select: { id: true }, take: 1 } } } } } } },
      { stats: [{ user: { marks: [{ id: 1 }] } }, { user: { marks: [{ id: 1 }] } }] },
    ],
  ])('are read in RPC: %s %j', async (path, args, wanted) => {
    for (const [index, app] of apps.entries()) {
      const isTooMuch = index % 3 === 2 && /marks|stats/.test(JSON.stringify(args));
      const response = await app.rpc.call(path, args);
      if (isTooMuch && response.status === 400) expect(response.error.message).toContain('limits.maxTake');
      else expect(response.data).toEqual(wanted);
    }
  });

  it('are read in a batch', async () => {
    for (const app of apps) {
      const { data } = await app.rpc.sequential([
        { model: 'stat', op: 'findMany' },
        { model: 'stat', op: 'count' },
      ]);
      expect(data).toEqual([STATS, 4]);
    }
  });

  it.each<[string, object, string]>([
    ['stat/findMany', { take: 2 }, 'take'],
    ['stat/findMany', { skip: 0 }, 'skip'],
    ['stat/findFirst', { skip: 1 }, 'skip'],
    ['stat/count', { take: 1 }, 'take'],
    ['stat/aggregate', { take: 1, _count: true }, 'take'],
    ['user/findMany', { include: { stats: { take: 1 } } }, 'take'],
  ])('need orderBy with take and skip: %s %j', async (path, args, name) => {
    for (const app of apps) {
      const { status, error } = await app.rpc.call(path, args);
      expect([status, error.message]).toEqual([
        400,
        expect.stringContaining(
          `orderBy is missing: the rows of Stat have no key. Argument \`orderBy\` is required because argument \`${name}\` was provided.`,
        ),
      ]);
    }
  });
});
