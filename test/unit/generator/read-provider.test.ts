import { describe, expect, it } from '@jest/globals';
import { readProvider } from '../../../lib/generator/read-datamodel.js';

const datasource = (provider: string, name = 'db') => ({ name, provider });

describe('readProvider', () => {
  it.each([
    ['postgresql', 'postgresql'],
    ['postgres', 'postgresql'],
    ['prisma+postgres', 'postgresql'],
    ['mysql', 'mysql'],
    ['sqlite', 'sqlite'],
    ['sqlserver', 'sqlserver'],
    ['cockroachdb', 'cockroachdb'],
    ['mongodb', 'mongodb'],
  ])('reads %s as %s', (provider, expected) => {
    expect(readProvider([datasource(provider)])).toBe(expected);
  });

  it('refuses a schema without a datasource', () => {
    expect(() => readProvider([])).toThrow('The Prisma schema has no datasource block. Add one that names the provider.');
  });

  it('refuses several datasources, naming them', () => {
    expect(() => readProvider([datasource('mysql', 'a'), datasource('sqlite', 'b')])).toThrow(
      'The Prisma schema has several datasources (a, b). Keep one.',
    );
  });

  it('refuses an unknown provider, naming the supported ones', () => {
    expect(() => readProvider([datasource('oracle')])).toThrow(
      'Datasource db has the provider oracle, which is not supported. Known: postgresql, mysql, sqlite, sqlserver, cockroachdb, mongodb.',
    );
  });
});
