import type { Work } from './works.js';

/** A process that serves the works on a separate port. */
export interface Contender {
  /** What answers: a file of `apps/`. */
  readonly app:
    'ours' | 'shared' | 'ruled' | 'as-init' | 'own-code' | 'hand-written' | 'in-transaction' | 'zenstack' | 'json-statement' | 'growing';
  readonly platform: 'Express' | 'Fastify' | 'node:http';
  /** Where the rows come from. */
  readonly client: 'prisma' | 'sql' | 'policies' | 'policies + sql' | 'canned' | 'own';
}

export const CONTENDERS: readonly Contender[] = [
  { app: 'hand-written', platform: 'Express', client: 'prisma' },
  { app: 'ours', platform: 'Express', client: 'prisma' },
  { app: 'ours', platform: 'Express', client: 'sql' },
  { app: 'hand-written', platform: 'Fastify', client: 'prisma' },
  { app: 'ours', platform: 'Fastify', client: 'prisma' },
  { app: 'ours', platform: 'Fastify', client: 'sql' },
  { app: 'shared', platform: 'Express', client: 'prisma' },
  { app: 'shared', platform: 'Express', client: 'sql' },
  { app: 'shared', platform: 'Fastify', client: 'prisma' },
  { app: 'shared', platform: 'Fastify', client: 'sql' },
  { app: 'ruled', platform: 'Express', client: 'prisma' },
  { app: 'ruled', platform: 'Express', client: 'sql' },
  { app: 'ruled', platform: 'Fastify', client: 'prisma' },
  { app: 'ruled', platform: 'Fastify', client: 'sql' },
  { app: 'as-init', platform: 'Express', client: 'sql' },
  { app: 'as-init', platform: 'Fastify', client: 'sql' },
  { app: 'own-code', platform: 'Express', client: 'prisma' },
  { app: 'own-code', platform: 'Fastify', client: 'prisma' },
  { app: 'in-transaction', platform: 'Express', client: 'prisma' },
  { app: 'in-transaction', platform: 'Fastify', client: 'prisma' },
  { app: 'zenstack', platform: 'Express', client: 'own' },
  { app: 'json-statement', platform: 'node:http', client: 'own' },
  { app: 'hand-written', platform: 'Fastify', client: 'policies' },
  { app: 'ours', platform: 'Fastify', client: 'policies' },
  { app: 'ours', platform: 'Fastify', client: 'policies + sql' },
  { app: 'hand-written', platform: 'Express', client: 'canned' },
  { app: 'ours', platform: 'Express', client: 'canned' },
  { app: 'hand-written', platform: 'Fastify', client: 'canned' },
  { app: 'ours', platform: 'Fastify', client: 'canned' },
];

/**
 * Groups of contenders that are compared with the same hand-written controllers. One group runs after the other, because a server does not have the
 * connections for all at once. A contender in two groups is measured in both, and its last results are reported.
 */
export const GROUPS: readonly ((contender: Contender) => boolean)[] = [
  ({ app, client }) => app === 'as-init' || (app === 'hand-written' && client === 'prisma'),
  ({ app, client }) =>
    !['as-init', 'shared', 'ruled', 'own-code', 'in-transaction'].includes(app) &&
    (client === 'prisma' || client === 'sql' || client === 'own'),
  ({ app, client }) => app === 'shared' || (app === 'hand-written' && client === 'prisma'),
  ({ app, client }) => app === 'ruled' || (app === 'hand-written' && client === 'prisma'),
  ({ app, client }) => !['as-init', 'shared', 'ruled'].includes(app) && client === 'prisma',
  ({ client }) => client.startsWith('policies'),
  ({ client }) => client === 'canned',
];

export function nameOf({ app, platform, client }: Contender): string {
  return [app, platform, ...(client === 'own' ? [] : [client])].join(' · ');
}

/** Returns the hand-written controllers that a contender is compared with: on the same platform, with the same client. */
export function rivalOf({ platform, client }: Contender): Contender {
  const rows = client === 'canned' ? 'canned' : client.startsWith('policies') ? 'policies' : 'prisma';
  const home = platform === 'node:http' ? 'Fastify' : platform;
  const rival = CONTENDERS.find((one) => one.app === 'hand-written' && one.platform === home && one.client === rows);
  if (!rival) throw new Error(`There are no hand-written controllers on ${home} with ${rows}.`);
  return rival;
}

export function takes(contender: Contender, work: Work): boolean {
  const { isTenanted = false } = work;
  const isRival = contender.app === 'hand-written' && contender.client === 'prisma';
  if (isTenanted) return contender.app === 'ruled' || isRival;
  return contender.app !== 'ruled' && takesAnyRows(contender, work);
}

function takesAnyRows(contender: Contender, work: Work): boolean {
  const { app, client } = contender;
  const { json = false, isBatch = false, method, api } = work;
  if (isBatch) return takesBatches(contender);
  if (app === 'json-statement') return json && api.startsWith('/rest');
  if (app === 'in-transaction' || app === 'shared') return (method === undefined) === (app === 'shared');

  // Canned rows are those of lists and single posts.
  return client !== 'canned' || json;
}

function takesBatches({ app, client }: Contender): boolean {
  return !['json-statement', 'in-transaction', 'shared', 'zenstack'].includes(app) && client !== 'canned' && !client.startsWith('policies');
}
