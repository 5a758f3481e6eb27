import { InitProblem } from './init-problem.js';
import { findInstalled, type InstalledPackage } from './installed-package.js';

/** The Prisma CLI of a project, of version 7. */
export interface PrismaCli {
  /** Absolute: where it is installed. */
  readonly folder: string;
  /** What its users type, e.g. `prisma generate`. */
  readonly generate: string;
}

/**
 * The Prisma 7 of a project: its `prisma`, or the one that `@prisma/prisma7` brings beside a Prisma 8.
 *
 * @throws InitProblem with what to install, where there is none
 */
export async function choosePrisma(root: string): Promise<PrismaCli> {
  const prisma = await findInstalled(root, 'prisma');
  if (prisma?.major === 7) return { folder: prisma.folder, generate: 'prisma generate' };
  const beside = await findBeside(root);
  if (beside) return { folder: beside.folder, generate: 'prisma7 generate' };
  throw new InitProblem(prisma ? otherVersion(prisma) : MISSING);
}

/** As Prisma's own guide puts 7 and 8 into one project. */
async function findBeside(root: string): Promise<InstalledPackage | undefined> {
  const wrapper = await findInstalled(root, '@prisma/prisma7');
  const prisma = wrapper && (await findInstalled(wrapper.folder, 'prisma'));
  return prisma?.major === 7 ? prisma : undefined;
}

const MISSING =
  'Prisma is not installed here. Nothing is changed. Run this, then this command again:\n\n' +
  '  npm install --save-dev prisma@7\n  npm install @prisma/client@7\n  npx prisma init';

function otherVersion({ version, major }: InstalledPackage): string {
  const replace = '  npm install --save-dev prisma@7\n  npm install @prisma/client@7';
  if (!(major > 7))
    return `This package needs Prisma 7, and Prisma ${version} is installed here. Nothing is changed. Upgrade it:\n\n${replace}`;
  return `This package needs Prisma 7, and Prisma ${version} is installed here, which has no generators. Nothing is changed. Install Prisma 7 instead:

${replace}

or beside it, then generate by \`npx prisma7 generate\`:

  npm pkg set 'overrides.nestjs-resource-api.prisma=$prisma'
  npm install --save-dev @prisma/prisma7
  npm install @prisma/client@7

Then run this command again.`;
}
