import { type Contender, nameOf, rivalOf } from './contenders.js';
import type { Figures } from './measure.js';

/** Medians of the rounds. */
export interface Summary extends Figures {
  /** Throughput by that of the hand-written rival in the same round. */
  readonly ratio: number;
  /** The same of processor time per request: less is better. */
  readonly cpuRatio: number;
}

/** The measurements, by the name of the work and of the contender. */
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

/** The same without absolute figures, and each contender once: ratios to the hand-written controllers, of throughput and of processor time. */
export function ratiosOf(results: Results, groups: readonly (readonly Contender[])[]): string {
  const inEarlierGroups = (index: number): readonly Contender[] => groups.slice(0, index).flat();
  const others = groups.map((group, index) => group.filter((one) => one.app !== 'hand-written' && !inEarlierGroups(index).includes(one)));
  return others.map((group) => tableOf(results, group, { head: 'throughput (CPU)', cell: ratiosText })).join('\n');
}

interface TableForm {
  readonly head: string;
  readonly cell: (figures: Summary) => string;
}

function tableOf(results: Results, contenders: readonly Contender[], { head, cell }: TableForm = FIGURES): string {
  const names = contenders.map(nameOf);
  const rows = Object.entries(results)
    .filter(([, row]) => names.some((name) => name in row))
    .map(([work, row]) => line([work, ...names.map((name) => (row[name] ? cell(row[name]) : ''))]));
  if (rows.length === 0) return '';
  return [line([head, ...names]), line(['---', ...names.map(() => '---')]), ...rows, ''].join('\n');
}

const FIGURES: TableForm = {
  head: 'requests/s (× hand-written), CPU µs each (× hand-written)',
  cell: ({ rate, ratio, cpu, cpuRatio }) =>
    `${Math.round(rate).toLocaleString('en')} (${ratio.toFixed(2)}), ${Math.round(cpu)} (${cpuRatio.toFixed(2)})`,
};

function ratiosText({ ratio, cpuRatio }: Summary): string {
  return `${ratio.toFixed(2)} (${cpuRatio.toFixed(2)})`;
}

/** A row of a Markdown table. */
export function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
