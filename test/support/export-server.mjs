// An application with exports on the database at DATABASE_URL, for tests that watch its process.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PrismaPg } from '@prisma/adapter-pg';
import { ResourceApiModule, withSqlReads } from '../../dist/index.js';
import { PrismaClient } from '../../sample/blog/dist/generated/prisma/client.js';
import { resourceSchema } from '../../sample/blog/dist/generated/resource-schema.js';

const { DATABASE_URL, PORT, SQL_READS } = process.env;
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: DATABASE_URL }) });
const client = SQL_READS === '1' ? withSqlReads(prisma) : prisma;

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- Nest's modules are.
class AppModule {}
Module({
  imports: [
    ResourceApiModule.forRoot({
      schema: resourceSchema,
      getClient: () => client,
      rest: { endpoint: 'http://api.test', export: true },
      resources: { '*': 'hidden', 'Tag': {} },
      limits: { maxResponseStall: Infinity },
      access: 'public',
    }),
  ],
})(AppModule);

const app = await NestFactory.create(AppModule, { logger: ['error'] });
app.enableShutdownHooks();
await app.listen(Number(PORT));
console.log('ready');
