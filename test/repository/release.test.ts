import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${version.replaceAll('.', String.raw`\.`)}(?: – |$)`, 'm'));
  });

  it('generates the section of the next version from the changesets', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'release-'));
    try {
      for (const name of ['package.json', 'CHANGELOG.md', '.changeset/config.json']) cpSync(name, path.join(folder, name));
      const { version } = JSON.parse(read('package.json')) as { readonly version: string };
      const [major = 0, minor = 0] = version.split('.').map(Number);
      const next = `${major}.${minor + 1}.0`;
      writeFileSync(path.join(folder, '.changeset/first-change.md'), '---\n"nestjs-resource-api": minor\n---\n\nThe first change.\n');
      execFileSync('git', ['init', '--quiet'], { cwd: folder });
      execFileSync(process.execPath, [path.resolve('node_modules/@changesets/cli/bin.js'), 'version'], { cwd: folder });

      const changelog = read(path.join(folder, 'CHANGELOG.md'));
      expect(changelog.slice(0, changelog.indexOf(`## ${version}`))).toBe(
        `# Changelog\n\n## ${next}\n\n### Minor Changes\n\n- The first change.\n\n`,
      );
      expect(changelog.endsWith(read('CHANGELOG.md').slice('# Changelog\n'.length))).toBe(true);
      expect(JSON.parse(read(path.join(folder, 'package.json')))).toHaveProperty('version', next);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
