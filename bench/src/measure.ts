import autocannon from 'autocannon';
import { type Contender, nameOf } from './contenders.js';
import { requestOf, type Running } from './process.js';
import type { Work } from './works.js';

/** How long to measure. */
export interface Pace {
  /** Of each contender; a first one warms up, and does not count. */
  readonly rounds: number;
  /** Of one round. */
  readonly seconds: number;
}

/** What one round gave. */
export interface Figures {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of the contender's own processor time per request. */
  readonly cpu: number;
}

const CONNECTIONS = 16;

/** Measures a work on all contenders in turn, A B A B, so that what else the machine does falls on all of them. Gives each one's rounds. */
export async function measure(
  work: Work,
  contenders: readonly Running[],
  { rounds, seconds, between }: Pace & { readonly between?: () => Promise<void> },
): Promise<ReadonlyMap<Contender, readonly Figures[]>> {
  const found = new Map(contenders.map((one): [Running, Figures[]] => [one, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [running, figures] of found) {
      const measured = await load(running, work, seconds);
      if (round > 0) figures.push(measured);
      await between?.();
    }
  }
  return new Map([...found].map(([{ contender }, figures]) => [contender, figures]));
}

async function load(running: Running, work: Work, seconds: number): Promise<Figures> {
  const before = await running.usage();
  const began = process.hrtime.bigint();
  const result = await autocannon({ ...(requestOf(running, work) as autocannon.Options), connections: CONNECTIONS, duration: seconds });
  const took = Number(process.hrtime.bigint() - began) / 1e9;
  const after = await running.usage();
  const { total } = result.requests;
  const failed = result.non2xx + result.errors + result.timeouts;
  // A machine that is busy with something else.
  if (failed === 0 && total === 0) return load(running, work, seconds * 2);
  if (failed > 0) throw new Error(`${failed} of ${total} requests failed: ${work.name}, ${nameOf(running.contender)}`);
  return { rate: total / took, cpu: (after.cpu - before.cpu) / total };
}
