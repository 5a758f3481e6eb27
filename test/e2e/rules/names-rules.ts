import { defineRules, type PlatformRequest } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/names/prisma/client.js';
import { CALLER, type Policies } from './policies.js';
import { callerOf } from './rules.js';

const idOf = (request: PlatformRequest): number => callerOf(request) ?? -1;
const isKnown = (request: PlatformRequest): boolean => callerOf(request) !== undefined;
const ownerless = (request: PlatformRequest) => ({ OR: [{ ownerId: null }, { ownerId: idOf(request) }] });
const ofNobodyOrMine = (request: PlatformRequest) => ({ OR: [{ owner: null }, { owner: { is: { id: idOf(request) } } }] });

/**
 * Rules on models whose relations and fields have the names of arguments. They use nullable columns, and relations, also by nullable keys.
 * {@link NAMES_POLICIES} are the same rules as policies.
 */
export const NAMES_RULES = defineRules<PrismaClient, PlatformRequest>()({
  Account: {
    read: (request) => ({ OR: [{ role: { not: 'ADMIN' } }, { id: idOf(request) }] }),
    create: { role: { not: 'ADMIN' } },
    update: { using: (request) => ({ OR: [{ code: null }, { id: idOf(request) }] }), check: { role: { not: 'ADMIN' } } },
    delete: { code: null },
  },
  Tool: {
    read: (request) => ({ OR: [{ delete: null }, { delete: { not: 'gone' } }, { data: { is: { id: idOf(request) } } }] }),
    create: isKnown,
    update: {
      using: (request) => ({ OR: [{ isNot: null }, { setId: idOf(request) }] }),
      check: { name: { not: 'forbidden' } },
    },
    delete: { createId: null },
  },
  Sensor: {
    read: (request) => ({ OR: [{ tool: null }, { tool: { name: { not: 'two' } } }, { ownerId: idOf(request) }] }),
    create: ownerless,
    update: ownerless,
    delete: ownerless,
  },
  // With null, the condition is unknown, so that the row is unreadable.
  Measurement: {
    read: { OR: [{ sensorId: { not: 2 } }, { value: { gte: 40 } }] },
    create: { value: { lt: 10 } },
    update: { using: true, check: { value: { lt: 10 } } },
    delete: isKnown,
  },
  Experiment: { read: true, create: true, update: { title: { not: 'e2' } }, delete: false },
  // Prisma cannot connect conditions on it.
  Gate: { read: true, create: true, update: isKnown, delete: false },
  Choice: {
    read: (request) => ({ NOT: [{ ownerId: 2 }, { owner: { is: { id: idOf(request) } } }] }),
    create: true,
    update: { using: { id: { not: 1 }, ownerId: null }, check: true },
    delete: { NOT: { ownerId: 3 } },
  },
  Note: {
    read: { OR: [{ id: { not: 2 } }, { ownerCode: { not: null } }] },
    create: true,
    update: { using: ofNobodyOrMine, check: true },
    delete: ofNobodyOrMine,
  },
  Badge: {
    read: { OR: [{ owner: null }, { owner: { role: 'USER' } }] },
    create: true,
    update: { using: { ownerCode: null }, check: { text: { not: 'forbidden' } } },
    delete: ofNobodyOrMine,
  },
});

const OWNERLESS = `"ownerId" IS NULL OR "ownerId" = ${CALLER}`;
const OF_NOBODY_OR_MINE = `"ownerCode" IS NULL OR names_id_of_code("ownerCode") = ${CALLER}`;

/** {@link NAMES_RULES} in SQL. */
export const NAMES_POLICIES: Policies = {
  functions: {
    names_tool: [`(id int) RETURNS text`, `SELECT name FROM "Tool" t WHERE t.id = $1`],
    names_id_of_code: [`(code text) RETURNS int`, `SELECT id FROM "Account" a WHERE a.code = $1`],
    names_role_of_code: [`(code text) RETURNS text`, `SELECT role FROM "Account" a WHERE a.code = $1`],
  },
  tables: {
    Account: {
      select: `role <> 'ADMIN' OR id = ${CALLER}`,
      insert: `role <> 'ADMIN'`,
      using: `code IS NULL OR id = ${CALLER}`,
      check: `role <> 'ADMIN'`,
      delete: 'code IS NULL',
    },
    Tool: {
      select: `"delete" IS NULL OR "delete" <> 'gone' OR "dataId" = ${CALLER}`,
      insert: `${CALLER} IS NOT NULL`,
      using: `"isNot" IS NULL OR "setId" = ${CALLER}`,
      check: `name <> 'forbidden'`,
      delete: '"createId" IS NULL',
    },
    Sensor: {
      select: `"toolId" IS NULL OR names_tool("toolId") <> 'two' OR "ownerId" = ${CALLER}`,
      insert: OWNERLESS,
      using: OWNERLESS,
      delete: OWNERLESS,
    },
    Measurement: {
      select: `"sensorId" <> 2 OR value >= 40`,
      insert: 'value < 10',
      using: 'true',
      check: 'value < 10',
      delete: `${CALLER} IS NOT NULL`,
    },
    Experiment: { select: 'true', insert: 'true', using: `title <> 'e2'` },
    Gate: { select: 'true', insert: 'true', using: `${CALLER} IS NOT NULL` },
    Choice: {
      select: `"ownerId" <> 2 AND "ownerId" IS DISTINCT FROM ${CALLER}`,
      insert: 'true',
      using: `id <> 1 AND "ownerId" IS NULL`,
      check: 'true',
      delete: '"ownerId" <> 3',
    },
    Note: {
      select: `id <> 2 OR "ownerCode" IS NOT NULL`,
      insert: 'true',
      using: OF_NOBODY_OR_MINE,
      check: 'true',
      delete: OF_NOBODY_OR_MINE,
    },
    Badge: {
      select: `"ownerCode" IS NULL OR names_role_of_code("ownerCode") = 'USER'`,
      insert: 'true',
      using: '"ownerCode" IS NULL',
      check: `text <> 'forbidden'`,
      delete: OF_NOBODY_OR_MINE,
    },
  },
};
