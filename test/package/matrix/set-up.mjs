import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import packOnce from '../pack-once.mjs';

const FOLDER = resolve('node_modules/.cache/nodes');

/** The lowest of each line that `engines` allows, and the newest of the last. */
const VERSIONS = ['20.19.0', '22.12.0', '24'];

/** Packs the package, and installs every Node from the registry, where it is a package of each platform. */
export default function setUp() {
  packOnce();
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const dependencies = Object.fromEntries(VERSIONS.map((version) => [nameOf(version), `npm:node-${platform}-${process.arch}@${version}`]));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies }));
  execFileSync('npm', ['install'], { cwd: FOLDER });
  const nodes = VERSIONS.map((version) => ({ version, bin: join(FOLDER, 'node_modules', nameOf(version), 'bin') }));
  process.env.MATRIX_NODES = JSON.stringify(nodes);
}

/** @param {string} version */
function nameOf(version) {
  return `node-${version}`;
}
