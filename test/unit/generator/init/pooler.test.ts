import { rmSync } from 'node:fs';
import { isPoolerUrl } from '../../../../lib/generator/init/pooler.js';
import { type Files, NestProject, type ProjectOptions } from './nest-project.js';

const roots: string[] = [];

function project(files: Files, options?: ProjectOptions): NestProject {
  const made = new NestProject(files, options);
  roots.push(made.root);
  return made;
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const CONSTANT = (text: string): Files => ({
  'src/prisma/prisma.service.ts': undefined,
  'src/prisma/prisma.module.ts': undefined,
  'src/prisma.ts': `import { PrismaPg } from '@prisma/adapter-pg';\n${text}\n`,
});

describe('what nestjs-resource-api init writes behind a connection pooler', () => {
  const POOLED = 'postgresql://app@ep-x-pooler.eu.neon.tech/app';
  const SQL = "Run this SQL once, as the role of the application:\n\n  ALTER ROLE CURRENT_USER SET statement_timeout = '5s';\n";

  it.each<[where: string, files: Files, environment: NodeJS.ProcessEnv]>([
    ['in the environment', {}, { DATABASE_URL: POOLED }],
    ['in .env', { '.env': 'DATABASE_URL="postgresql://postgres.x:secret@db.example.com:6543/postgres?sslmode=require"\n' }, {}],
    [
      'in the configuration of Prisma',
      { 'prisma.config.ts': "export default { datasource: { url: 'postgresql://app@127.0.0.1:6432/app' } };\n" },
      {},
    ],
    [
      'in the variable of the client',
      CONSTANT('export const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DB }) });'),
      { DATABASE_URL: 'postgresql://db/app', DB: 'postgresql://db/app?pgbouncer=true' },
    ],
  ])('%s, without the parameter that it refuses, and with the SQL to run once', async (_where, files, environment) => {
    const app = project(files, { environment });
    const dry = await app.init('--dry-run');
    expect(dry.out).toContain('+ import { ResourceApiModule, withSql }');
    expect(dry.out).toContain(SQL);
    expect(dry.out).not.toContain('statement_timeout: 5_000,');
    expect((await app.init()).out).toContain(SQL);
    const text = app.read('src/resource-api/resource-api.module.ts');
    expect(text).toContain('new Pool({');
    expect(text).not.toContain('statement_timeout');
  });

  it('and prints where the parameter is', async () => {
    const { out } = await project({}, { environment: { DATABASE_URL: POOLED } }).init();
    expect(out).toContain('Remove `statement_timeout` beside the connectionString in src/prisma/prisma.service.ts.');
  });

  it('in the PrismaService to paste, too', async () => {
    const files = { 'src/prisma/prisma.service.ts': undefined, 'src/prisma/prisma.module.ts': undefined };
    const { err } = await project(files, { environment: { DATABASE_URL: POOLED } }).init();
    expect(err).toContain('new Pool({ connectionString: process.env.DATABASE_URL });');
    expect(err).toContain(SQL);
  });

  it('but nothing of it where the URL is that of a server', async () => {
    const { out } = await project({ '.env': `DATABASE_URL=${POOLED}\n` }).init();
    expect(out).not.toContain('pooler');
  });
});

describe('isPoolerUrl', () => {
  it.each([
    ['postgresql://db:6432/app', true],
    ['postgresql://postgres.ref:secret@aws-0-eu-central-1.pooler.supabase.com:5432/postgres', true],
    ['postgresql://db:5432/app?pgbouncer=true', true],
    ['postgresql://pooler@db:5432/pooler', false],
    ['postgresql://db/app?pgbouncer=false', false],
    ['file:./dev.db', false],
    ['no URL', false],
  ])('%s: %s', (url, isPooler) => {
    expect(isPoolerUrl(url)).toBe(isPooler);
  });
});
