import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const read = (file: string): string => readFileSync(file, 'utf8');

/** The packages that `npm install nestjs-resource-api` installs beside its peers. */
function runtimePackages(): ReadonlyMap<string, LockedPackage> {
  const { packages } = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, LockedPackage>> };
  const found = new Map<string, LockedPackage>();
  const add = ({ dependencies = {} }: LockedPackage): void => {
    for (const name of Object.keys(dependencies)) {
      const locked = packages[`node_modules/${name}`];
      if (!locked || found.has(name)) continue;
      found.set(name, locked);
      add(locked);
    }
  };
  add(packages[''] ?? {});
  return found;
}

describe('a release', () => {
  it('lists the licences of its dependencies in docs/versions.md', () => {
    const [, table = ''] = read('docs/versions.md').split('## Licences');
    const listed = new Map(
      [...table.matchAll(/^\| (\S+) \| (.+) \|$/gm)].map(([, licence = '', names = '']) => [licence, names.split(', ')]),
    );
    const expected = new Map<string, string[]>();
    for (const [name, { license = 'none' }] of [...runtimePackages()].sort(([a], [b]) => (a < b ? -1 : 1))) {
      expected.set(license, [...(expected.get(license) ?? []), `\`${name}\``]);
    }
    listed.delete('licence');
    listed.delete('---');
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected));
  });

  it('has a section of the changelog for its version', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string };
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${version.replaceAll('.', String.raw`\.`)} – `, 'm'));
  });
});
