import { defineConfig } from 'prisma/config';

/** Prisma's own settings. `prisma generate` works without a database; `prisma migrate` wants `DATABASE_URL`, e.g. `file:./tasks.db`. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(process.env['DATABASE_URL'] && { datasource: { url: process.env['DATABASE_URL'] } }),
});
