import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { env, execPath } from 'node:process';
import { promisify } from 'node:util';
import { messageOf } from '../error-text.js';
import { InitProblem } from './init-problem.js';
import type { Project } from './project.js';

const run = promisify(execFile);

/**
 * Runs `prisma generate` with the project's own Prisma 7.
 *
 * @throws InitProblem with what Prisma says, when it fails
 */
export async function runPrismaGenerate({ root, prisma }: Pick<Project, 'root' | 'prisma'>): Promise<void> {
  const { bin } = JSON.parse(await readFile(join(prisma.folder, 'package.json'), 'utf8')) as { readonly bin: { readonly prisma: string } };
  // Prisma starts generators by their name, as npm and npx would have it.
  const path = [join(root, 'node_modules', '.bin'), env['PATH']].join(delimiter);
  try {
    await run(execPath, [join(prisma.folder, bin.prisma), 'generate'], { cwd: root, env: { ...env, PATH: path } });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    const output = `${stdout}${stderr}`.trim();
    throw new InitProblem(`\`${prisma.generate}\` fails. Once it does not, run this command again.\n\n${output || messageOf(error)}`);
  }
}
