import { describe, expect, it, jest } from '@jest/globals';
import type { DataCall, WantedRecord } from '../../../lib/executor/plan.js';
import { prismaExecutor } from '../../../lib/executor/prisma-executor.js';
import { runPlan } from '../../../lib/executor/run-plan.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import { compare } from '../../../lib/query/condition.js';
import { fieldNamed, selectFields } from '../../../lib/query/fields.js';
import { findMany as findManyOf } from '../../../lib/query/read.js';
import type { WrittenRecord } from '../../../lib/query/write.js';
import { modelOf } from '../rpc/model-of.js';

/** The codes of countries, in a database whose collation ignores case. */
const STORED = ['CH', 'DE', 'NL'];

const READ = { isWrite: false };

interface FindArguments {
  readonly where: { readonly code?: string | { readonly in: readonly string[] }; readonly OR?: readonly { readonly code: string }[] };
}

const { model } = modelOf(`
model Country {
  code       String      @id
  warehouses Warehouse[]
}

model Warehouse {
  name        String  @id
  country     Country @relation(fields: [countryCode], references: [code])
  countryCode String
}
`);
const country = storedModel(model.storage, 'Country');
const warehouse = storedModel(model.storage, 'Warehouse');

function openDatabase() {
  const findMany = jest.fn(({ where: { code: given, OR } }: FindArguments) => {
    const codes = typeof given === 'string' ? [given] : (given?.in ?? OR?.map(({ code }) => code) ?? []);
    const upperCase = codes.map((code) => code.toUpperCase());
    return Promise.resolve(STORED.filter((code) => upperCase.includes(code)).map((code) => ({ code })));
  });
  const create = jest.fn((args: unknown) => Promise.resolve(args));
  return { executor: prismaExecutor({ country: { findMany }, warehouse: { create } }), findMany, create };
}

function look(codes: readonly string[], otherSpellings = true): DataCall {
  const wanted = codes.map((code): WantedRecord => ({ key: { code }, detail: `No ${code}.`, source: { pointer: `/${code}` } }));
  return {
    query: findManyOf({
      model: country,
      where: compare(fieldNamed(country, 'code'), 'in', codes),
      selection: selectFields(country, ['code']),
    }),
    expect: { kind: 'all-found', wanted, ...(otherSpellings && { otherSpellings }) },
  };
}

describe('records whose keys are case variants of the stored ones', () => {
  it.each([
    ['as they are', ['CH', 'DE'], 1],
    ['one in other letters', ['ch', 'DE'], 2],
    ['one twice, in two spellings', ['CH', 'ch'], 2],
    ['all in other letters', ['ch', 'de', 'nl'], 6],
  ])('are found: %s', async (_, codes, queries) => {
    const { executor, findMany } = openDatabase();
    await runPlan(executor, { kind: 'transaction', calls: [look(codes)] }, READ);
    expect(findMany).toHaveBeenCalledTimes(queries);
  });

  it('are found, and the missing ones are reported, each at its position', async () => {
    const { executor } = openDatabase();
    const run = runPlan(executor, { kind: 'transaction', calls: [look(['ch', 'xx', 'DE', 'yy'])] }, READ);
    await expect(run).rejects.toMatchObject({ problems: [{ detail: 'No xx.' }, { detail: 'No yy.', source: { pointer: '/yy' } }] });
  });

  it('need no second query where no record is found', async () => {
    const { executor, findMany } = openDatabase();
    await expect(runPlan(executor, { kind: 'transaction', calls: [look(['xx', 'yy'])] }, READ)).rejects.toMatchObject({ status: 404 });
    expect(findMany).toHaveBeenCalledTimes(1);
  });

  it('are missing where the database has a case-sensitive collation', async () => {
    const { executor, findMany } = openDatabase();
    await expect(runPlan(executor, { kind: 'transaction', calls: [look(['ch', 'DE'], false)] }, READ)).rejects.toMatchObject({
      status: 404,
    });
    expect(findMany).toHaveBeenCalledTimes(1);
  });

  it('are referenced by their stored keys in foreign keys', async () => {
    const { executor, create } = openDatabase();
    const columns = [{ column: 'countryCode', reference: 'code' }];
    const record: WrittenRecord = {
      kind: 'record',
      model: warehouse,
      action: 'create',
      fields: [
        { field: fieldNamed(warehouse, 'name'), operation: 'set', value: 'ch' },
        { field: fieldNamed(warehouse, 'countryCode'), operation: 'set', value: 'ch' },
      ],
      relations: [],
      at: [],
    };
    const write: DataCall = {
      query: { kind: 'create', model: warehouse, record, selection: selectFields(warehouse, ['name']) },
      foreignKeys: [{ model: country, key: { code: 'ch' }, columns }],
    };
    await runPlan(executor, { kind: 'transaction', calls: [look(['ch']), write] }, { isWrite: true });
    expect(create).toHaveBeenCalledWith({ data: { name: 'ch', countryCode: 'CH' }, select: { name: true } });
  });
});
