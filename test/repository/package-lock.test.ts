import { readFile } from 'node:fs/promises';

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type LockedPackages = Readonly<Record<string, LockedPackage>>;

const LOCKS = ['package-lock.json', 'sample/read-replicas/package-lock.json', 'sample/zenstack/package-lock.json'];

/**
 * npm leaves a platform's package out of the lock when the registry did not have it at that moment. `npm ci` then fails, or installs
 * without a binary on that platform: pin the package that depends on it to a version that is complete in the registry.
 */
describe('the lock', () => {
  it.each(LOCKS)('has an entry for every optional platform package: %s', async (file) => {
    const { packages } = JSON.parse(await readFile(file, 'utf8')) as { readonly packages: LockedPackages };
    const missing = Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => findInstalled(packages, path, name) === undefined)
        .map((name) => `${name}, of ${path}@${version ?? ''}`),
    );
    expect(missing).toEqual([]);
  });

  it('resolves a package as Node does: from the node_modules of the dependent first, then from those above', () => {
    const packages = { 'node_modules/a': {}, 'node_modules/b': {}, 'node_modules/b/node_modules/a': {} };
    expect(findInstalled(packages, 'node_modules/b', 'a')).toBe('node_modules/b/node_modules/a');
    expect(findInstalled(packages, 'node_modules/b/node_modules/a', 'b')).toBe('node_modules/b');
    expect(findInstalled(packages, 'node_modules/a', 'c')).toBeUndefined();
  });
});

/** @returns the path in the lock at which the package at `path` finds `name` */
function findInstalled(packages: LockedPackages, path: string, name: string): string | undefined {
  const own = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
  if (packages[own] !== undefined) return own;
  if (path === '') return undefined;
  return findInstalled(packages, path.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ''), name);
}
