import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve('node_modules/.cache/tarball');

/** Packs the package once for all suites: packing builds it anew, which two of them must not do at once. `PACKED_TARBALL` names one that is packed. */
export default function packOnce() {
  if (process.env.PACKED_TARBALL) return;
  mkdirSync(FOLDER, { recursive: true });
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', FOLDER], { encoding: 'utf8' });
  const [{ filename }] = JSON.parse(output.slice(output.indexOf('[')));
  process.env.PACKED_TARBALL = join(FOLDER, filename);
}
