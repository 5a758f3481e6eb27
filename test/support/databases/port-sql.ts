/** Databases beside PostgreSQL that run the end-to-end tests, by Prisma's names of their providers. */
export type PortedProvider = 'sqlite' | 'mysql';

/** One table of the tests' schema in another database's SQL. */
export interface PortedTable {
  readonly name: string;
  readonly create: string;
}

/** The tests' schema in another database's SQL; tables come before those that reference them. */
export interface PortedSchema {
  readonly tables: readonly PortedTable[];
  readonly indexes: readonly string[];
}

/**
 * Translates `prisma/database.sql`, which is PostgreSQL's, as Prisma's own migrations would write it for another database. Left out is what
 * `port-schema.mjs` leaves out of the Prisma schema: lists of scalars and columns of unsupported types.
 */
export function portSql(script: string, provider: PortedProvider): PortedSchema {
  const port = PORTS[provider];
  const enums = new Map([...script.matchAll(/CREATE TYPE ("\w+") AS ENUM (\(.*\));/g)].map(([, name = '', values = '']) => [name, values]));
  const additions = [...script.matchAll(/ALTER TABLE "(\w+)" ADD (CONSTRAINT .*);/g)];
  return {
    tables: [...script.matchAll(/CREATE TABLE "(\w+)" \(\n([\s\S]*?)\n\);/g)].map(([, name = '', body = '']) => {
      const constraints = additions.flatMap(([, table, constraint = '']) => (table === name ? [constraint] : []));
      const columns = body.split(/,?\n+/).flatMap((line) => portLine(line.trim(), { port, enums }));
      const generatesId = columns.some((column) => column.includes('PRIMARY KEY AUTOINCREMENT'));
      const lines = [...columns, ...constraints].filter(
        (line) => !(generatesId && line.startsWith('CONSTRAINT') && line.includes('_pkey')),
      );
      return { name, create: port.quote(`CREATE TABLE "${name}" (\n  ${lines.join(',\n  ')}\n)`) };
    }),
    indexes: [...script.matchAll(/CREATE (?:UNIQUE )?INDEX .*(?=;)/g)].map(([index]) => port.quote(index)),
  };
}

interface Port {
  /** From PostgreSQL's type, the first that matches. */
  readonly types: readonly (readonly [RegExp, string])[];
  readonly enumeration: (values: string) => string;
  readonly quote: (sql: string) => string;
}

interface Porting {
  readonly port: Port;
  readonly enums: ReadonlyMap<string, string>;
}

/** A line of a `CREATE TABLE`: a column, or the primary key. None for a column that is left out. */
function portLine(line: string, porting: Porting): readonly string[] {
  if (line === '' || LACKING.test(line)) return [];
  const [, name, definition] = /^("\w+") (.*)$/.exec(line) ?? [];
  return name === undefined || definition === undefined ? [line] : [`${name} ${portDefinition(definition, porting)}`];
}

const LACKING = /\[\]|\bpoint\b/;

function portDefinition(definition: string, { port, enums }: Porting): string {
  const [type = ''] = /^"\w+"/.exec(definition) ?? [];
  const values = enums.get(type);
  if (values !== undefined) return definition.replace(type, port.enumeration(values));
  return port.types.reduce((ported, [pattern, other]) => ported.replace(pattern, other), definition);
}

const PORTS: Readonly<Record<PortedProvider, Port>> = {
  mysql: {
    types: [
      [/^(BIG)?SERIAL NOT NULL/, '$1INT NOT NULL AUTO_INCREMENT'],
      [/^INTEGER/, 'INT'],
      [/^TEXT/, 'VARCHAR(191)'],
      [/^UUID/, 'CHAR(36)'],
      [/^JSONB/, 'JSON'],
      [/^BYTEA/, 'LONGBLOB'],
      [/^DOUBLE PRECISION/, 'DOUBLE'],
      [/^TIMESTAMP/, 'DATETIME'],
      [/CURRENT_TIMESTAMP/, 'CURRENT_TIMESTAMP(3)'],
    ],
    enumeration: (values) => `ENUM${values}`,
    quote: (sql) => sql.replaceAll('"', '`'),
  },
  sqlite: {
    types: [
      [/^(?:BIG)?SERIAL NOT NULL/, 'INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT'],
      [/^(?:UUID|(?:VAR)?CHAR\(\d+\))/, 'TEXT'],
      [/^BYTEA/, 'BLOB'],
      [/^DOUBLE PRECISION/, 'REAL'],
      [/^DECIMAL\(.*?\)/, 'DECIMAL'],
      [/^(?:TIMESTAMP\(3\)|DATE\b)/, 'DATETIME'],
    ],
    enumeration: () => 'TEXT',
    quote: (sql) => sql,
  },
};
