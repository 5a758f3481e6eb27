import { join } from 'node:path';
import { readTextFile } from '../files.js';
import { addSettings, findBlocks, type PrismaBlock, type SchemaFile } from './prisma-blocks.js';
import { pathFrom, type Project } from './project.js';

/** The Prisma schema with a client that Jest can load, or the fault with its remedy. */
interface MendedClient {
  readonly schema: readonly SchemaFile[];
  readonly toDo?: string;
}

/** The settings of the generator `prisma-client` with which Jest can load the client. */
const SETTINGS = { moduleFormat: 'cjs', importFileExtension: '' } as const;

/**
 * Adds settings to the generator of the Prisma client that Jest cannot load: Jest resolves no `.js` to a source, and runs no ES modules in a CommonJS
 * project. Settings with other values remain.
 */
export async function mendClientForJest(project: Project, schema: readonly SchemaFile[]): Promise<MendedClient> {
  const client = sourceClientOf(schema);
  if (!client || !(await isUnfit(client, project))) return { schema };
  const missing = Object.entries(SETTINGS).filter(([name]) => !client.settings.has(name));
  const isMendable = Object.entries(SETTINGS).every(([name, value]) => (client.settings.get(name) ?? value) === value);
  if (isMendable) return { schema: addSettings(schema, client, missing) };
  const toDo =
    `Jest cannot load the Prisma client that is generated for this project. Set this in the generator ${client.name} in ${pathFrom(project.root, client.file.path)}, ` +
    `and run \`npx ${project.prisma.generate}\`:\n\n  moduleFormat        = "cjs"\n  importFileExtension = ""`;
  return { schema, toDo };
}

/** Returns the generator of a Prisma client of TypeScript sources, which Jest compiles. */
function sourceClientOf(schema: readonly SchemaFile[]): PrismaBlock | undefined {
  return findBlocks(schema).find(({ kind, settings }) => kind === 'generator' && settings.get('provider') === 'prisma-client');
}

async function isUnfit({ settings }: PrismaBlock, project: Project): Promise<boolean> {
  const { jest } = project.packageJson;
  if (!isTestedByJest(project) || JSON.stringify(jest).includes('\\.js')) return false;
  const extension = settings.get('importFileExtension') ?? ((await isNodeNext(project)) ? 'js' : '');
  return extension !== SETTINGS.importFileExtension || (settings.get('moduleFormat') ?? 'cjs') !== SETTINGS.moduleFormat;
}

/** Whether Jest tests the project as CommonJS. */
function isTestedByJest({ packageJson: { type, jest } }: Project): boolean {
  return jest !== undefined && type !== 'module';
}

async function isNodeNext({ root }: Project): Promise<boolean> {
  return /"module"\s*:\s*"node/i.test((await readTextFile(join(root, 'tsconfig.json'))) ?? '');
}

/** Returns advice for tests that send queries. With `"module": "nodenext"` the client keeps its `import()`, which Jest supports only with an option of Node. */
export async function queriesInJestAdvice(project: Project, schema: readonly SchemaFile[]): Promise<readonly string[]> {
  const isSet = JSON.stringify(project.packageJson.scripts ?? {}).includes('--experimental-vm-modules');
  if (isSet || !sourceClientOf(schema) || !isTestedByJest(project) || !(await isNodeNext(project))) return [];
  return ['Tests under Jest that send queries need an option of Node: NODE_OPTIONS=--experimental-vm-modules npm run test:e2e'];
}
