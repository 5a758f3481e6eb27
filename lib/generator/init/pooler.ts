import { join } from 'node:path';
import { readTextFile } from '../files.js';
import { findDataClients, placeOf } from './data-client-source.js';
import { envFileText, URL_NAME } from './find-shortcomings.js';
import type { Project } from './project.js';
import type { SourceFile } from './source-files.js';

interface Searched {
  readonly project: Project;
  readonly files: readonly SourceFile[];
  readonly environment: NodeJS.ProcessEnv;
}

/** Whether the data client connects to a connection pooler, by the URL in the environment, in `.env`, or in the configuration of Prisma. */
export async function connectsToPooler(searched: Searched): Promise<boolean> {
  return isPoolerUrl((await findUrl(searched)) ?? '');
}

async function findUrl({ project, files, environment }: Searched): Promise<string | undefined> {
  const clients = findDataClients(files, project.typescript).map(placeOf);
  const texts = files.filter(({ path }) => clients.includes(path)).map(({ text }) => text);
  const [name = URL_NAME] = texts.flatMap((text) => VARIABLE.exec(text)?.groups?.['name'] ?? []);
  if (environment[name] !== undefined) return environment[name];
  const [, value] = UNQUOTED.exec((await envFileText(project, name)) ?? '') ?? [];
  return value ?? URL_TEXT.exec((await readTextFile(join(project.root, 'prisma.config.ts'))) ?? '')?.[0];
}

/** Matches the environment variable that a client gets its URL from. */
const VARIABLE = /\bconnectionString:\s*process\.env(?:\.|\[['"])(?<name>\w+)/;

/** Matches a text in quotes, without them. */
const UNQUOTED = /^["']?([^\s"']+)/;

const URL_TEXT = /\bpostgres(?:ql)?:\/\/[^\s"'`]+/;

/** Whether a URL names the port of a pooler (6432 of PgBouncer, 6543 of Supabase), a host called `pooler`, or `pgbouncer=true`. */
export function isPoolerUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { port, hostname, searchParams } = new URL(url);
  return /^(?:6432|6543)$/.test(port) || /pooler|pgbouncer/i.test(hostname) || searchParams.get('pgbouncer') === 'true';
}

/** What to do once for a database behind a pooler. */
export const POOLER_ADVICE = `The database is behind a connection pooler, which may refuse statement_timeout as a parameter of connections. Run this SQL once, as the role of the application:

  ALTER ROLE CURRENT_USER SET statement_timeout = '5s';

Connections that the pooler has already opened do not have it, and migrations that run as this role do. More: node_modules/nestjs-resource-api/docs/deployment.md, "Connection poolers".`;
