import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve('node_modules/.cache/tarball');

/** Packs the package once for all suites, because packing builds it, which must not happen concurrently. `PACKED_TARBALL` names an existing tarball. */
export default function packOnce() {
  if (process.env.PACKED_TARBALL) return;
  mkdirSync(FOLDER, { recursive: true });
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', FOLDER], { encoding: 'utf8' });
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[')));
  process.env.PACKED_TARBALL = join(FOLDER, filename);
}
