import { findInstalled } from './installed-package.js';

/** The version of a package that goes with the project; without one here, the newest. */
export function versioned(name: string): string {
  return /^(?:@prisma\/(?:client|adapter-[\w-]+)|prisma)$/.test(name) ? `${name}@7` : name;
}

/** The commands that install those of the packages that are missing, types as development dependencies. */
export async function installsOf(root: string, names: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(names.map((name) => findInstalled(root, name)));
  const missing = names.filter((_, index) => !found[index]);
  const types = missing.filter((name) => name.startsWith('@types/'));
  const others = missing.filter((name) => !types.includes(name));
  return [
    ...(others.length > 0 ? [`npm install ${others.map(versioned).join(' ')}`] : []),
    ...(types.length > 0 ? [`npm install --save-dev ${types.join(' ')}`] : []),
  ];
}
