import { readFileSync, writeFileSync } from 'node:fs';
import type { Results } from './report.js';

/** Ratios by the name of the work and of the contender. */
export type Baseline = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** By which factor a ratio may exceed its baseline. */
const SLACK = 1.3;
const FILE = new URL('../baseline.json', import.meta.url);

export function readBaseline(): Baseline {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Baseline;
}

export function writeBaseline(results: Results): void {
  const ours = (row: Results[string]): Baseline[string] =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, { cpuRatio }]) => (name.startsWith('ours') ? [[name, Number(cpuRatio.toFixed(2))]] : [])),
    );
  const baseline = Object.fromEntries(Object.entries(results).map(([work, row]) => [work, ours(row)]));
  writeFileSync(FILE, `${JSON.stringify(baseline, undefined, 2)}\n`);
}

/** Returns a sentence for each contender of a work that is worse than its baseline allows. */
export function slowerOf(baseline: Baseline[string] = {}, row: Results[string]): readonly string[] {
  return Object.entries(baseline).flatMap(([name, was]) => {
    const { cpuRatio: now = NaN } = row[name] ?? {};
    return name in row && !(now <= was * SLACK)
      ? [`${name}: ${now.toFixed(2)} times the processor time of hand-written, was ${was.toFixed(2)}`]
      : [];
  });
}
