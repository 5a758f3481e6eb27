import autocannon from 'autocannon';
import { type Contender, nameOf } from './contenders.js';
import { requestOf, type Running } from './process.js';
import type { Work } from './works.js';

/** How long to measure. */
export interface Pace {
  /** Of each contender. */
  readonly rounds: number;
  /** Of one round, about. */
  readonly seconds: number;
  /**
   * Seconds of processor time that a contender spends on a work before it is measured. In a process's first two, V8 compiles, and a
   * request takes up to ten times as much: most where there is most code.
   */
  readonly warmUp: number;
}

/** The result of one round. */
export interface Figures {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of the contender's own processor time per request. */
  readonly cpu: number;
}

const CONNECTIONS = 16;
/** How far the rows of two connections are apart, so that they are in different pages. */
const FAR = 1000;

/** Measures a work on all contenders alternately, A B A B, so that other load of the machine affects all of them. Returns the rounds of each. */
export async function measure(
  work: Work,
  contenders: readonly Running[],
  { between, ...pace }: Pace & { readonly between?: () => Promise<void> },
): Promise<ReadonlyMap<Contender, readonly Figures[]>> {
  const amounts = new Map<Running, number>();
  for (const running of contenders) {
    amounts.set(running, await warmUp(running, work, pace));
    await between?.();
  }
  const found = new Map(contenders.map((one): [Contender, Figures[]] => [one.contender, []]));
  for (let round = 0; round < pace.rounds; round++) {
    for (const [running, amount] of amounts) {
      found.get(running.contender)?.push(await load(running, work, amount));
      await between?.();
    }
  }
  return found;
}

/** @returns how many requests make a round */
async function warmUp(running: Running, work: Work, pace: Pace): Promise<number> {
  const end = (await running.usage()).cpu + pace.warmUp * 1e6;
  let amount = CONNECTIONS;
  do {
    const { rate } = await load(running, work, amount);
    amount = CONNECTIONS * Math.ceil((rate * pace.seconds) / CONNECTIONS);
  } while ((await running.usage()).cpu < end);
  return amount;
}

async function load(running: Running, work: Work, amount: number): Promise<Figures> {
  const request = requestOf(running, work);
  let id = 0;
  const setupClient = (client: autocannon.Client): void => {
    const { url, ...own } = requestOf(running, work, (id += FAR));
    client.setRequests([{ ...own, path: url.slice(running.url.length) }]);
  };
  const before = await running.usage();
  const began = process.hrtime.bigint();
  const result = await autocannon({ ...request, connections: CONNECTIONS, amount, sampleInt: 10, setupClient });
  const took = Number(process.hrtime.bigint() - began) / 1e9;
  const after = await running.usage();
  const { total } = result.requests;
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0 || total !== amount) throw new Error(`${failed} of ${total} requests failed: ${work.name}, ${nameOf(running.contender)}`);
  return { rate: total / took, cpu: (after.cpu - before.cpu) / total };
}
