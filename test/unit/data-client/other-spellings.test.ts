import { describe, expect, it, jest } from '@jest/globals';
import type { DataCall, WantedRecord } from '../../../lib/data-client/plan.js';
import { runPlan } from '../../../lib/data-client/run-plan.js';

/** The codes of countries, in a database that does not look at the case of letters. */
const STORED = ['CH', 'DE', 'NL'];

interface Query {
  readonly where: { readonly code?: { readonly in: readonly string[] }; readonly OR?: readonly { readonly code: string }[] };
}

function openDatabase() {
  const findMany = jest.fn(({ where }: Query) => {
    const asked = (where.code?.in ?? where.OR?.map(({ code }) => code) ?? []).map((code) => code.toUpperCase());
    return Promise.resolve(STORED.filter((code) => asked.includes(code)).map((code) => ({ code })));
  });
  const create = jest.fn((args: unknown) => Promise.resolve(args));
  return { client: { country: { findMany }, warehouse: { create } }, findMany, create };
}

function look(codes: readonly string[], otherSpellings = true): DataCall {
  const wanted = codes.map((code): WantedRecord => ({ key: { code }, detail: `No ${code}.`, source: { pointer: `/${code}` } }));
  return {
    delegate: 'country',
    operation: 'findMany',
    args: { where: { code: { in: codes } }, select: { code: true } },
    expect: { kind: 'all-found', wanted, ...(otherSpellings && { otherSpellings }) },
  };
}

describe('records under another spelling of their keys', () => {
  it.each([
    ['as they are', ['CH', 'DE'], 1],
    ['one in other letters', ['ch', 'DE'], 2],
    ['one twice, in two spellings', ['CH', 'ch'], 2],
    ['all in other letters', ['ch', 'de', 'nl'], 6],
  ])('are found: %s', async (_, codes, queries) => {
    const { client, findMany } = openDatabase();
    await runPlan(client, { kind: 'transaction', calls: [look(codes)] });
    expect(findMany).toHaveBeenCalledTimes(queries);
  });

  it('are told from those that are not there, each at its place', async () => {
    const { client } = openDatabase();
    const run = runPlan(client, { kind: 'transaction', calls: [look(['ch', 'xx', 'DE', 'yy'])] });
    await expect(run).rejects.toMatchObject({ problems: [{ detail: 'No xx.' }, { detail: 'No yy.', source: { pointer: '/yy' } }] });
  });

  it('cost no further query where nothing is found at all', async () => {
    const { client, findMany } = openDatabase();
    await expect(runPlan(client, { kind: 'transaction', calls: [look(['xx', 'yy'])] })).rejects.toMatchObject({ status: 404 });
    expect(findMany).toHaveBeenCalledTimes(1);
  });

  it('are missing where the database tells spellings apart', async () => {
    const { client, findMany } = openDatabase();
    await expect(runPlan(client, { kind: 'transaction', calls: [look(['ch', 'DE'], false)] })).rejects.toMatchObject({ status: 404 });
    expect(findMany).toHaveBeenCalledTimes(1);
  });

  it('are referred to as they are stored, in every part of the data that has their key', async () => {
    const { client, create } = openDatabase();
    const columns = [{ column: 'countryCode', reference: 'code' }];
    const write: DataCall = {
      delegate: 'warehouse',
      operation: 'create',
      args: { data: { name: 'x', countryCode: 'ch' }, update: { name: 'x' }, where: { countryCode: 'ch' } },
      foreignKeys: [{ delegate: 'country', key: { code: 'ch' }, columns }],
    };
    await runPlan(client, { kind: 'transaction', calls: [look(['ch']), write] });
    expect(create).toHaveBeenCalledWith({
      data: { name: 'x', countryCode: 'CH' },
      update: { name: 'x' },
      where: { countryCode: 'ch' },
    });
  });
});
