import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describeWhere } from '../../support/describe-where.js';

/** The path of an installed Chromium: `CHROMIUM_PATH`, or a usual place. Undefined without one. */
export const CHROMIUM = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }), headless: true, args: FLAGS });
}

/** Describes tests if Chromium is installed. Else they are skipped, with the reason in their name. */
export function describeInChromium(name: string, tests: () => void): void {
  describeWhere(CHROMIUM !== undefined, 'no Chromium here; install one, or name it by CHROMIUM_PATH', name, tests);
}
