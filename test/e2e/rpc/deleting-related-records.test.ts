import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RulesOption } from '../../../lib/index.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { openSchema, type OpenSchema } from '../../support/open-schema.js';
import { sample } from '../../support/sample.js';
import { sendRequest } from '../../support/send-request.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** The referential actions, with that of the database. A schema without one has SetNull for optional keys. */
const ACTIONS = { SetNull: 'SET NULL', Default: 'SET NULL', Cascade: 'CASCADE', Restrict: 'RESTRICT', NoAction: 'NO ACTION' } as const;
const NAMES = Object.keys(ACTIONS) as readonly (keyof typeof ACTIONS)[];

const MODELS = NAMES.map((name) => {
  const action = name === 'Default' ? '' : `, onDelete: ${name}`;
  return `model Owner${name} {
  id Int @id
  items Item${name}[]
  single Single${name}?
}
model Item${name} {
  id Int @id
  name String?
  owner Owner${name}? @relation(fields: [ownerId], references: [id]${action})
  ownerId Int?
}
model Single${name} {
  id Int @id
  name String?
  touchedAt DateTime @updatedAt
  owner Owner${name}? @relation(fields: [ownerId], references: [id]${action})
  ownerId Int? @unique
}`;
}).join('\n');

const KEYS = NAMES.flatMap((name) =>
  [`Item${name}`, `Single${name}`].map(
    (table) => `ALTER TABLE "${table}" ADD FOREIGN KEY ("ownerId") REFERENCES "Owner${name}" (id) ON DELETE ${ACTIONS[name]};`,
  ),
).join('\n');

const RESET = `CREATE FUNCTION reset_rows() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  ${NAMES.map((name) => `DELETE FROM "Item${name}"; DELETE FROM "Single${name}"; DELETE FROM "Owner${name}";`).join('\n  ')}
  ${NAMES.map(
    (name) => `INSERT INTO "Owner${name}" VALUES (1), (2), (3), (4);
  INSERT INTO "Item${name}" (id, "ownerId") VALUES (1, 1), (2, 1), (3, 2), (4, NULL);
  INSERT INTO "Single${name}" (id, "ownerId", "touchedAt") VALUES (1, 3, now()), (2, NULL, now());`,
  ).join('\n  ')}
END $$;`;

type Write = readonly [model: 'Owner' | 'Item' | 'Single', args: object];

/** Each deletes a record that the written record references, or updates a related record without data. */
const WRITES: readonly Write[] = [
  ...(['Item', 'Single'] as const).flatMap((model) =>
    [1, 2, 3, 4].flatMap((id) =>
      [{ delete: true }, { delete: { id: 1 } }, { delete: { id: 3 } }, { update: {} }, { update: { where: { id: 9 }, data: {} } }].flatMap(
        (owner): readonly Write[] => [
          [model, { where: { id }, data: { owner } }],
          [model, { where: { id }, data: { name: 'x', owner } }],
        ],
      ),
    ),
  ),
  ...[1, 3].flatMap((id): readonly Write[] => [
    ['Owner', { where: { id }, data: { items: { update: { where: { id: 4 }, data: {} } } } }],
    ['Owner', { where: { id }, data: { items: { update: { where: { id: 4 }, data: { name: 'x' } } } } }],
    ['Owner', { where: { id }, data: { single: { update: { where: { id: 9 }, data: {} } } } }],
    ['Owner', { where: { id }, data: { single: { update: {} } } }],
  ]),
];

const RULE = { read: { id: { not: 99 } }, create: true, update: true, delete: true };
const RULES: RulesOption = Object.fromEntries(NAMES.flatMap((name) => ['Owner', 'Item', 'Single'].map((model) => [model + name, RULE])));
const ENGINES = ['Prisma', 'SQL', 'Prisma under rules', 'SQL under rules'] as const;

function delegateName(model: string): string {
  return model.charAt(0).toLowerCase() + model.slice(1);
}

interface Delegate {
  findMany(args: object): Promise<readonly object[]>;
  update(args: object): Promise<unknown>;
}

onDatabases('postgresql').describe('related records', () => {
  onPlatforms('by RPC', (platform) => {
    let database: OpenSchema;
    const apps = new Map<string, TestApp>();
    beforeAll(async () => {
      database = await openSchema({ name: 'deleting_related', models: MODELS, sql: `${KEYS}\n${RESET}` });
      const { schema, prisma, inSql } = database;
      for (const engine of ENGINES) {
        const rules = engine.endsWith('rules') ? { rules: RULES } : {};
        const getClient = (): object => (engine.startsWith('SQL') ? inSql : prisma);
        apps.set(engine, await startTestApp({ platform, options: { ...rules, schema, getClient } }));
      }
    }, 60_000);
    afterAll(async () => {
      for (const app of apps.values()) await app.close();
      await database.close();
    });

    const delegateOf = (model: string): Delegate => Reflect.get(database.prisma, delegateName(model)) as Delegate;

    async function rowsOf(name: string): Promise<unknown> {
      const all = ['Owner', 'Item', 'Single'].map((model) =>
        delegateOf(model + name).findMany({ orderBy: { id: 'asc' }, ...(model === 'Single' && { omit: { touchedAt: true } }) }),
      );
      return Promise.all(all);
    }

    async function byPrisma([model, args]: Write, name: string): Promise<unknown> {
      await database.prisma.$executeRawUnsafe('SELECT reset_rows()');
      const update = delegateOf(model + name).update({ ...args, select: { id: true } });
      const outcome = await update.then(
        (data) => [200, data],
        () => ['an error'],
      );
      return [outcome, await rowsOf(name)];
    }

    async function byApi({ agent }: TestApp, [model, args]: Write, name: string): Promise<unknown> {
      await database.prisma.$executeRawUnsafe('SELECT reset_rows()');
      // Without the check of the contract, which has no null as the result of an update.
      const { status, text } = await sendRequest(agent, {
        method: 'PATCH',
        path: `/api/rpc/${delegateName(model + name)}/update`,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...args, select: { id: true } }),
      });
      const outcome = status === 200 ? [200, (JSON.parse(text) as { readonly data: unknown }).data] : [status < 500 ? 'an error' : text];
      return [outcome, await rowsOf(name)];
    }

    it.each(sample.inTurn(ENGINES, NAMES))(
      'are deleted and updated as by Prisma, with %s: %s',
      async (engine, name) => {
        const app = apps.get(engine);
        if (!app) throw new Error('It has started.');
        const [expected, received]: [unknown[], unknown[]] = [[], []];
        for (const write of WRITES) {
          expected.push([JSON.stringify(write), await byPrisma(write, name)]);
          received.push([JSON.stringify(write), await byApi(app, write, name)]);
        }
        expect(received).toEqual(expected);
      },
      60_000,
    );
  });
});
