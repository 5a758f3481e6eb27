import { type Contender, nameOf, rivalOf } from './contenders.js';
import type { Figures } from './measure.js';

/** Medians of the rounds. */
export interface Summary extends Figures {
  /** Throughput by that of the hand-written rival in the same round. */
  readonly ratio: number;
  /** The same of processor time per request: less is better. */
  readonly cpuRatio: number;
}

/** What was measured, by the name of the work and of the contender. */
export type Results = Record<string, Record<string, Summary>>;

export function summarize(rounds: ReadonlyMap<Contender, readonly Figures[]>): Results[string] {
  return Object.fromEntries(
    [...rounds].map(([contender, figures]) => {
      const rivals = rounds.get(rivalOf(contender)) ?? [];
      const of = (figure: keyof Figures): number => median(figures.map((one) => one[figure]));
      const by = (figure: keyof Figures): number => median(figures.map((one, round) => one[figure] / (rivals[round]?.[figure] ?? NaN)));
      return [nameOf(contender), { rate: of('rate'), cpu: of('cpu'), ratio: by('rate'), cpuRatio: by('cpu') }];
    }),
  );
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const { [middle]: upper = NaN, [middle - 1]: lower = NaN } = sorted;
  return sorted.length % 2 === 1 ? upper : (lower + upper) / 2;
}

/** One table a group of contenders: requests per second, the ratio to hand-written controllers, and own processor time per request with its ratio. */
export function toMarkdown(results: Results, groups: readonly (readonly Contender[])[]): string {
  return groups.map((group) => tableOf(results, group)).join('\n');
}

function tableOf(results: Results, contenders: readonly Contender[]): string {
  const names = contenders.map(nameOf);
  const rows = Object.entries(results)
    .filter(([, row]) => names.some((name) => name in row))
    .map(([work, row]) => line([work, ...names.map((name) => cellOf(row[name]))]));
  return [
    line(['requests/s (× hand-written), CPU µs each (× hand-written)', ...names]),
    line(['---', ...names.map(() => '---')]),
    ...rows,
    '',
  ].join('\n');
}

function cellOf(figures: Results[string][string] | undefined): string {
  if (!figures) return '';
  return `${Math.round(figures.rate).toLocaleString('en')} (${figures.ratio.toFixed(2)}), ${Math.round(figures.cpu)} (${figures.cpuRatio.toFixed(2)})`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
