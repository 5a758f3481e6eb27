import type { NestLine } from './nest-project.js';

/** Texts by their path in the project. */
export type Files = Readonly<Record<string, string>>;

/** Returns the extension of relative imports: `.js` for ES modules, and none for CommonJS, where Jest would not resolve it. */
function extensionOf({ format }: NestLine): string {
  return format === 'CommonJS' ? '' : '.js';
}

/** Prisma's schema and configuration, a `PrismaService` as NestJS's documentation has it, and the tables with a row each. */
export function prismaFiles(line: NestLine): Files {
  const extension = extensionOf(line);
  return {
    'prisma/schema.prisma': `generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}

datasource db {
  provider = "sqlite"
}

model User {
  id    Int     @id @default(autoincrement())
  email String  @unique
  name  String?
  posts Post[]
}

model Post {
  id       Int    @id @default(autoincrement())
  title    String
  author   User   @relation(fields: [authorId], references: [id])
  authorId Int
}
`,
    'prisma.config.ts': `import { defineConfig } from 'prisma/config';

export default defineConfig({ schema: 'prisma/schema.prisma', datasource: { url: 'file:./dev.db' } });
`,
    // Prisma's migrations need an engine that would be downloaded.
    'prisma/create-tables.mjs': `import { createClient } from '@libsql/client';

await createClient({ url: 'file:./dev.db' }).executeMultiple(\`
  CREATE TABLE "User" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "email" TEXT NOT NULL UNIQUE, "name" TEXT);
  CREATE TABLE "Post" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "title" TEXT NOT NULL, "authorId" INTEGER NOT NULL REFERENCES "User"("id"));
  INSERT INTO "User" VALUES (1, 'ann@example.com', 'Ann');
  INSERT INTO "Post" VALUES (1, 'Hello', 1);
\`);
`,
    'src/prisma/prisma.service.ts': `import { Injectable } from '@nestjs/common';
import { PrismaLibSql } from '@prisma/adapter-libsql';
import { PrismaClient } from '../generated/prisma/client${extension}';

@Injectable()
export class PrismaService extends PrismaClient {
  constructor() {
    super({ adapter: new PrismaLibSql({ url: 'file:./dev.db' }) });
  }
}
`,
    'src/prisma/prisma.module.ts': `import { Module } from '@nestjs/common';
import { PrismaService } from './prisma.service${extension}';

@Module({ providers: [PrismaService], exports: [PrismaService] })
export class PrismaModule {}
`,
  };
}

/** One more end-to-end test of the project: both styles, in the runner of its line. */
export function ownTest(line: NestLine, adapter: Adapter = { imports: '', argument: '' }): Files {
  return {
    'test/posts.e2e-spec.ts': `import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
${adapter.imports}import { AppModule } from './../src/app.module${extensionOf(line)}';

describe('posts (e2e)', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const fixture = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = fixture.createNestApplication(${adapter.argument});
    await app.listen(0);
  });
  afterAll(() => app.close());

  it('are there in REST', async () => {
    const answer = await fetch(\`\${await app.getUrl()}/api/rest/post?include=author\`);
    expect(await answer.json()).toMatchObject({
      data: [{ type: 'post', id: 1, attributes: { title: 'Hello' } }],
      included: [{ type: 'user', id: 1 }],
    });
  });

  it('are there in RPC', async () => {
    const answer = await fetch(\`\${await app.getUrl()}/api/rpc/post/findMany\`);
    expect(await answer.json()).toEqual({ data: [{ id: 1, title: 'Hello', authorId: 1 }] });
  });
});
`,
  };
}

interface Adapter {
  readonly imports: string;
  readonly argument: string;
}

const FASTIFY: Adapter = {
  imports: `import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';\n`,
  argument: 'new FastifyAdapter()',
};

/**
 * Returns the files that a user changes for Fastify: the one that starts the application, and the end-to-end tests.
 *
 * @param test the project's own end-to-end test
 */
export function fastifyFiles(line: NestLine, test: string): Files {
  return {
    'src/main.ts': `import { NestFactory } from '@nestjs/core';
${FASTIFY.imports}import { AppModule } from './app.module${extensionOf(line)}';

async function bootstrap() {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, ${FASTIFY.argument});
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
`,
    'test/app.e2e-spec.ts':
      FASTIFY.imports +
      test
        .replace('createNestApplication()', `createNestApplication<NestFastifyApplication>(${FASTIFY.argument})`)
        .replace('await app.init();', 'await app.init();\n    await app.getHttpAdapter().getInstance().ready();'),
    ...ownTest(line, FASTIFY),
  };
}
