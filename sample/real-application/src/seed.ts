import { readdir, readFile } from 'node:fs/promises';
import { adapter, prisma } from './database.js';

const MIGRATIONS = new URL('../prisma/migrations/', import.meta.url);

/** Whom the token of a person names, in one organization. */
export interface Person {
  readonly name: string;
  readonly sub: number;
  readonly org: number;
}

export const [ACME, GLOBEX] = [1, 2] as const;
export const [ANN, BOB, HANA, CLEO] = [1, 2, 3, 4] as const;

/** Ann is admin of Acme, Bob a member of both organizations, Hana of the human resources of Acme, Cleo admin of Globex. */
const MEMBERSHIPS = [
  { organizationId: ACME, userId: ANN, role: 'ADMIN', salary: '90000' },
  { organizationId: ACME, userId: BOB, role: 'MEMBER', salary: '60000' },
  { organizationId: ACME, userId: HANA, role: 'HR', salary: '70000' },
  { organizationId: GLOBEX, userId: BOB, role: 'MEMBER', salary: '20000' },
  { organizationId: GLOBEX, userId: CLEO, role: 'ADMIN', salary: '95000' },
] as const;

const PEOPLE = ['Ann', 'Bob', 'Hana', 'Cleo'];

/** Makes the tables and fills them, where there are none. */
export async function openDatabase(): Promise<readonly Person[]> {
  if (process.env['DATABASE_URL'] === undefined) await applyMigrations();
  if ((await prisma.user.count()) === 0) await seed();
  return MEMBERSHIPS.map(({ organizationId, userId, role }) => {
    return { name: `${PEOPLE[userId - 1] ?? ''} (${role} of organization ${organizationId})`, sub: userId, org: organizationId };
  });
}

/** What `prisma migrate deploy` does for a file of your own. */
async function applyMigrations(): Promise<void> {
  const connection = await adapter.connect();
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const name of names.sort()) await connection.executeScript(await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8'));
  await connection.dispose();
}

/** Each organization has a project with two tasks, a comment of Bob's, a tag, an attachment and a payment. */
export async function seed(): Promise<void> {
  await prisma.organization.createMany({ data: [{ name: 'Acme' }, { name: 'Globex' }] });
  await prisma.user.createMany({
    data: PEOPLE.map((name) => ({ name, email: `${name.toLowerCase()}@example.com`, passwordHash: `not-a-hash-of-${name}` })),
  });
  await prisma.membership.createMany({ data: [...MEMBERSHIPS] });
  for (const [organizationId, name, createdById] of [
    [ACME, 'Rocket', ANN],
    [GLOBEX, 'Reactor', CLEO],
  ] as const) {
    const tag = await prisma.tag.create({ data: { name: 'urgent', organizationId } });
    const project = await prisma.project.create({ data: { name, organizationId } });
    const shared = { organizationId, projectId: project.id, createdById };
    await prisma.task.create({
      data: {
        ...shared,
        title: `Build the ${name.toLowerCase()}`,
        assigneeId: BOB,
        comments: { create: { body: 'I am on it.', authorId: BOB } },
        attachments: { create: { name: 'plan.txt', bytes: Buffer.from('1. Build it.') } },
        tags: { connect: { id: tag.id } },
      },
    });
    await prisma.task.create({ data: { ...shared, title: `Test the ${name.toLowerCase()}` } });
    await prisma.payment.create({ data: { amount: '1200.50', organizationId } });
  }
}
