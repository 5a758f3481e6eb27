import { readDatamodel } from '../../lib/generator/read-datamodel.js';
import { type ResourceSchema, withSql } from '../../lib/index.js';
import { createTables } from './create-tables.js';
import { describeModels, type InlineClient, makeInlineClient } from './inline-client.js';
import { openDatabase } from './scripted-database.js';
import { sqlReadsOn } from './sql-reads.js';
import { StatementLog } from './statement-log.js';

/** A schema that a test writes or generates. */
export interface InlineSchema {
  /** For the name of its database. */
  readonly name: string;
  /** Models, views and enums in Prisma's language, for PostgreSQL. */
  readonly models: string;
  /** Which of them are views: `sql` creates these. */
  readonly views?: readonly string[];
  /** What precedes the tables: extensions. */
  readonly before?: string;
  /** What follows the tables that are made of the models: views and rows. */
  readonly sql?: string;
}

/** A database of the schema, and what serves it. */
export interface OpenSchema {
  readonly schema: ResourceSchema;
  readonly prisma: InlineClient;
  /** The same client with reads in SQL, and on a server with writes too. */
  readonly inSql: object;
  /** Where it is on a server. */
  readonly connectionString: string | undefined;
  readonly close: () => Promise<void>;
}

/** Opens a database of a schema that no `prisma generate` has seen. */
export async function openSchema({ name, models, views = [], before = '', sql = '' }: InlineSchema): Promise<OpenSchema> {
  const features = views.length > 0 ? ['views'] : [];
  const described = describeModels(models, features);
  const database = await openDatabase(name, `${before}\n${createTables(described.dmmf, views)}\n${sql}`);
  const options = { adapter: database.adapter, transactionOptions: { maxWait: 60_000, timeout: 60_000 } };
  const prisma = makeInlineClient(described, features, options);
  const reads = await sqlReadsOn(database.connectionString, new StatementLog());
  return {
    schema: readDatamodel(described.dmmf, 'postgresql', described.text),
    prisma,
    inSql: withSql(prisma, reads),
    connectionString: database.connectionString,
    close: async () => {
      await reads.pool?.end();
      await prisma.$disconnect();
      await database.close();
    },
  };
}
