import { readFileSync, rmSync } from 'node:fs';
import { check } from 'prettier';
import { type Files, NestProject, SCHEMA } from './nest-project.js';

/** Whether the text has the format that the linter of Nest's templates requires. */
function isFormatted(text: string): Promise<boolean> {
  return check(text, { parser: 'typescript', singleQuote: true, trailingComma: 'all' });
}

const roots: string[] = [];

function project(files: Files = {}): NestProject {
  const made = new NestProject(files);
  roots.push(made.root);
  return made;
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

describe('the module that nestjs-resource-api init writes', () => {
  it('escapes a global prefix in strings, comments and shell commands', async () => {
    const app = project({
      'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
const app = await NestFactory.create(AppModule);
app.setGlobalPrefix("it's/*/\\\`\${process.exit()}\\\\ $(rm)");
await app.listen(process.env.PORT ?? 3000);
`,
    });
    const { out } = await app.init();
    const path = '/it%27s/%2A/%60%24%7Bprocess.exit%28%29%7D%5C%20%24%28rm%29';
    const text = app.read('src/resource-api/resource-api.module.ts');
    expect(text).toContain(`?? \`http://localhost:\${process.env.PORT ?? 3000}\`}${path}/rest\`,`);
    expect(text).toContain(` * The models of the Prisma schema: REST (JSON:API) at ${path}/rest, RPC at ${path}/rpc.\n`);
    expect(out).toContain(`curl http://localhost:3000${path}/rest/blogPost\n`);
  });

  it('has imports of folders with quotes', async () => {
    const app = project({
      'src/prisma/prisma.module.ts': undefined,
      'src/prisma/prisma.service.ts': undefined,
      "src/it's/prisma.ts": 'export const prisma = new PrismaClient({ adapter });\n',
    });
    await app.init();
    expect(app.read('src/resource-api/resource-api.module.ts')).toContain("import { prisma } from '../it\\'s/prisma';");
  });

  it('imports the resources that the project has already', async () => {
    const app = project({ 'src/resource-api/resources.ts': "export const resources = { '*': 'hidden' } as const;\n" });
    const { out } = await app.init();
    const text = app.read('src/resource-api/resource-api.module.ts');
    expect(text).toContain("import { resources } from './resources';\n");
    expect(text).toMatch(/^ +resources,$/m);
    expect(text).not.toContain("'hidden'");
    expect(out).not.toContain('Exposed to every client');
    expect(await isFormatted(text)).toBe(true);
  });

  describe('exposes models by name', () => {
    it('and never the model of idempotency keys, under any name', async () => {
      const keys = /```prisma\n(model IdempotencyKey[\s\S]*?)```/.exec(readFileSync('docs/idempotency.md', 'utf8'))?.[1] ?? '';
      for (const [name, id] of [
        ['IdempotencyKey', '[scope, key]'],
        ['Sent', '[key, scope]'],
      ] as const) {
        const model = keys.replace('IdempotencyKey', name).replace('[scope, key]', id);
        const app = project({ 'prisma/schema.prisma': `${SCHEMA}\n${model}` });
        const { out } = await app.init();
        expect(app.read('src/resource-api/resource-api.module.ts')).not.toContain(name);
        expect(out).toContain(`${name} (it holds the stored responses of requests with an Idempotency-Key)`);
      }
    });

    const MODELS = `${SCHEMA}
/// Who may log in.
model User {
  id           Int      @id
  /// Bcrypt.
  passwordHash String
  resetToken   String?  @unique // set by mail
  saltRounds   Int
  /// @api.writeOnly
  password     String?
  clientSecret String?  /// @api.hidden
  hashtags     String[]
  oldToken     String?  @ignore
  hashColumn   Unsupported("bytea")?
  sessions     Session[]
}

model Session {
  token  String @id
  user   User   @relation(fields: [userId], references: [id])
  userId Int
  visits Visit[]
}

model Visit {
  sessionId String
  at        DateTime
  session   Session  @relation(fields: [sessionId], references: [token])

  @@id([sessionId, at(sort: Desc)])
}

model Login {
  id     Int                @id
  place  Unsupported("point")
  secret String?
}

model Device {
  id     Int     @id
  serial String  @ignore // no @default
  salt   String?
}

model Filled {
  id    Int                  @id
  note  String?              @ignore
  mark  String               @default("x") @ignore
  place Unsupported("point")?
  spot  Unsupported("point") @default(dbgenerated())
  salt  String?
  /// Its relation gives it.
  ownerHash String
  owner     BlogPost @relation(fields: [ownerHash], references: [title])
  seedHash String @default(cuid()) // none @default
  tokenId Int?
}

view Secrets {
  id     Int    @id
  secret String
}

/// Internal. @api.hidden
model AuditLog {
  id Int @id
}

model Legacy {
  id Int @id
  @@ignore
}

/*
model Commented {
  id Int @id
}
*/
`;

    it('without fields whose names suggest secrets, and prints what is hidden', async () => {
      const app = project({ 'prisma/schema.prisma': MODELS });
      const { code, all } = await app.init();
      expect(code).toBe(0);
      expect(await isFormatted(app.read('src/resource-api/resource-api.module.ts'))).toBe(true);
      expect(app.read('src/resource-api/resource-api.module.ts')).toContain(`          resources: {
            '*': 'hidden',
            BlogPost: {},
            User: {
              actions: ['read', 'update', 'delete'],
              fields: {
                passwordHash: 'hidden',
                resetToken: 'hidden',
                saltRounds: 'hidden',
              },
            },
            Login: {
              actions: ['read', 'update', 'delete'],
              fields: {
                secret: 'hidden',
              },
            },
            Device: {
              actions: ['read', 'update', 'delete'],
              fields: {
                salt: 'hidden',
              },
            },
            Filled: {
              actions: ['read', 'create', 'update', 'delete'],
              fields: {
                salt: 'hidden',
                ownerHash: 'hidden',
                seedHash: 'hidden',
                tokenId: 'hidden',
              },
            },
            Secrets: {
              actions: ['read'],
              fields: {
                secret: 'hidden',
              },
            },
          },
`);
      expect(all).toContain(`Exposed to every client that reaches the API: BlogPost, User, Login, Device, Filled, Secrets.
Not exposed: User.passwordHash (its name says secret), User.resetToken (its name says secret), User.saltRounds (its name says secret), Login.secret (its name says secret), Device.salt (its name says secret), Filled.salt (its name says secret), Filled.ownerHash (its name says secret), Filled.seedHash (its name says secret), Filled.tokenId (its name says secret), Secrets.secret (its name says secret), creating User (it needs passwordHash, saltRounds), AuditLog (its comment says @api.hidden), Session (its id has token, which is hidden), Visit (its id has sessionId, which is hidden), every model that you add later.
`);
      expect(all).not.toMatch(/Legacy|Commented/);
    });

    it('and prints the hidden fields with --dry-run, too', async () => {
      const { out } = await project({ 'prisma/schema.prisma': MODELS }).init('--dry-run');
      expect(out).toContain(
        "+             User: {\n+               actions: ['read', 'update', 'delete'],\n+               fields: {\n+                 passwordHash: 'hidden',\n",
      );
      expect(out).toContain('Not exposed: User.passwordHash (its name says secret)');
    });
  });

  describe('reads and writes in SQL on PostgreSQL', () => {
    const SERVICE = (body: string): Files => ({
      'src/prisma/prisma.service.ts': `import { PrismaPg } from '@prisma/adapter-pg';\nexport class PrismaService extends PrismaClient {\n${body}\n}\n`,
    });
    const CONSTANT = (text: string): Files => ({
      'src/prisma/prisma.service.ts': undefined,
      'src/prisma/prisma.module.ts': undefined,
      'src/prisma.ts': `import { PrismaPg } from '@prisma/adapter-pg';\n${text}\n`,
    });

    it.each<[where: string, files: Files, written: string]>([
      [
        'the pool of the service',
        SERVICE('  readonly pool = pool();\n  constructor() {\n    super({ adapter });\n  }'),
        'withSql(prisma, { pool: prisma.pool, writes: true });',
      ],
      [
        'the pool beside a constant',
        CONSTANT('export const pool = new Pool({});\nexport const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });'),
        "import { prisma, pool } from '../prisma';\n\n// Each read of the API, and each write of one record, is one SQL statement.\nconst sqlClient = withSql(prisma, { pool, writes: true });\n",
      ],
      [
        'a pool beside a constant',
        CONSTANT("export const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env['DB']! }) });"),
        "const pool = new Pool({\n  connectionString: process.env['DB'],\n  statement_timeout: 5_000,\n  allowExitOnIdle: true,\n});\nconst sqlClient = withSql(prisma, { pool, writes: true });\n",
      ],
      [
        'a client that does already',
        CONSTANT('export const prisma = withSqlReads(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool });'),
        'getClient: () => prisma,',
      ],
      [
        'a client that does already, and writes in SQL',
        CONSTANT('export const prisma = withSql(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool, writes: true });'),
        'getClient: () => prisma,',
      ],
      [
        'not an extended client',
        CONSTANT('export const prisma = new PrismaClient({ adapter: new PrismaPg(pool) }).$extends({});'),
        'getClient: () => prisma,',
      ],
      [
        'not what a configuration service names',
        SERVICE('  constructor(config: Config) {\n    super({ adapter: new PrismaPg({ connectionString: config.url }) });\n  }'),
        'getClient: () => prisma,',
      ],
    ])('on %s', async (_where, files, written) => {
      const app = project(files);
      expect((await app.init()).code).toBe(0);
      const text = app.read('src/resource-api/resource-api.module.ts');
      expect(text).toContain(written);
      expect(await isFormatted(text)).toBe(true);
    });

    it('and only reads where the database has no foreign keys', async () => {
      const app = project({ 'prisma/schema.prisma': SCHEMA.replace('"postgresql"', '"postgresql"\n  relationMode = "prisma"') });
      await app.init();
      const text = app.read('src/resource-api/resource-api.module.ts');
      expect(text).toContain("import { ResourceApiModule, withSqlReads } from 'nestjs-resource-api';");
      expect(text).toContain('        // Each read of the API is one SQL statement.\n');
      expect(text).toContain('const sqlClient = withSqlReads(prisma, { pool });');
    });

    it('and prints the setting to add where the client has no statement_timeout', async () => {
      const text = '  constructor() {\n    super({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });\n  }';
      const { out } = await project(SERVICE(text)).init();
      expect(out).toContain('Write `statement_timeout: 5_000` beside the connectionString in src/prisma/prisma.service.ts.');
    });

    it('and prints no setting where the client has no connections yet', async () => {
      const { out } = await project({ 'src/prisma/prisma.service.ts': 'export class PrismaService extends PrismaClient {}\n' }).init();
      expect(out).not.toMatch(/statement_timeout|sql-reads/);
    });

    it('but not on another database', async () => {
      const app = project({ 'prisma/schema.prisma': SCHEMA.replace('postgresql', 'cockroachdb') });
      await app.init();
      expect(app.read('src/resource-api/resource-api.module.ts')).not.toContain('withSql');
    });
  });
});
