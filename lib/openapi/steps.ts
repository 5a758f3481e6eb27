import { endOfTick } from '../executor/yield-to-event-loop.js';

/** Work in steps. Each step yields the length of the text that it has read or written, in characters. */
export type Steps<Result> = Generator<number, Result, undefined>;

/** Length of the text after which the event loop runs. To build and write so much takes some milliseconds. */
const SLICE = 2 ** 16;

/** Does work, and lets other requests run after each {@link SLICE} of text. */
export async function inSlices<Result>(work: Steps<Result>): Promise<Result> {
  let length = 0;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    length += step.value;
    if (length < SLICE) continue;
    length = 0;
    await endOfTick();
  }
}

/** Does work in one tick. */
export function atOnce<Result>(work: Steps<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
