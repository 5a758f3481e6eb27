import { expect, it } from '@jest/globals';
import { onDatabases } from '../../support/databases/this-database.js';
import { listOf, optionalOf, SPECIMENS, VALUE_TYPES, writeSpecimens } from './specimen-rows.js';
import { rpc, type Send, twoWriters } from './two-writers.js';

/** Values that a column may have, including those that only other programs write, as assignments of SQL. */
const STORED: readonly string[] = [
  ...VALUE_TYPES.flatMap(({ name }) => [`"${listOf(name)}" = NULL`, `"${listOf(name)}" = '{NULL,NULL}'`, `"${listOf(name)}" = '{}'`]),
  ...VALUE_TYPES.map(({ name }) => `"${optionalOf(name)}" = NULL`),
  `"jsonList" = ARRAY['null', '1']::jsonb[]`,
  `"jsonList" = ARRAY['"null"', '[null]', '{"a":null}']::jsonb[]`,
  `"jsonList" = ARRAY['{"__proto__":1}']::jsonb[]`,
  `"json" = 'null', "optionalJson" = 'null'`,
  `"json" = '{"__proto__":{"a":1}}'`,
  `"json" = '9007199254740993', "optionalJson" = '1e400'`,
  `"optionalDateTime" = 'infinity'`,
  `"optionalDateTime" = '0001-01-01 BC'`,
  `"optionalDate" = '20000-01-01'`,
  `"float" = 'NaN', "optionalFloat" = '-Infinity', "floatList" = '{NaN,Infinity,-0}'`,
  `"decimal" = 'NaN', "decimalList" = '{NaN}'`,
  String.raw`"string" = E'\u2028"\\', "stringList" = ARRAY['null', 'NULL', '', '{}', '"']`,
];

/** All fields but lists of dates, because SQL writes no row that it returns with them. */
const SELECT = Object.fromEntries(
  ['id', ...VALUE_TYPES.flatMap(({ name }) => [name, optionalOf(name), listOf(name)])]
    .filter((name) => name !== 'dateTimeList' && name !== 'dateList')
    .map((name) => [name, true]),
);
const FIELDS = Object.keys(SELECT)
  .filter((name) => name !== 'id')
  .join();

const WRITES: readonly (readonly [name: string, send: Send])[] = [
  ['update', rpc('specimen/update', { where: { id: 1 }, data: { int: 3 }, select: SELECT })],
  ['updateManyAndReturn', rpc('specimen/updateManyAndReturn', { where: { id: 1 }, data: { int: 3 }, select: SELECT })],
  ['delete', rpc('specimen/delete', { where: { id: 1 }, select: SELECT })],
  [
    'PATCH',
    ({ rest }) => rest.patch(`/specimen/1?fields[specimen]=${FIELDS}`, { data: { type: 'specimen', id: 1, attributes: { int: 3 } } }),
  ],
  ['DELETE', ({ rest }) => rest.delete('/specimen/1')],
];

onDatabases('postgresql-server').describe('writes in SQL and by Prisma of a row with stored values of every kind', () => {
  const writers = twoWriters();

  it.each(WRITES.flatMap(([name, send]) => STORED.map((values) => ({ name, values, send }))))(
    'have the same outcome: $name where $values',
    async ({ values, send }) => {
      const { prisma } = writers.started.database;
      const { status } = await writers.compareWrites(async (app) => {
        await writeSpecimens(prisma);
        await prisma.$executeRawUnsafe(`UPDATE "Specimen" SET ${values} WHERE id = 1`);
        return send(app);
      });
      expect(status).toBeGreaterThan(0);
    },
  );

  it.each(WRITES)('have the same outcome for each row of values: %s', async (_, send) => {
    for (const { id } of SPECIMENS) {
      const { status } = await writers.compareWrites(async (app) => {
        await writeSpecimens(writers.started.database.prisma);
        await writers.started.database.prisma.$executeRawUnsafe(`DELETE FROM "Specimen" WHERE id = 1 AND ${id} <> 1`);
        await writers.started.database.prisma.$executeRawUnsafe(`UPDATE "Specimen" SET id = 1 WHERE id = ${id}`);
        return send(app);
      });
      expect(status).toBeLessThan(300);
    }
  });
});
