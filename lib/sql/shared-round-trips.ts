import { endOfTick } from '../executor/yield-to-event-loop.js';

/** A read that waits for its round trip. */
export interface WaitingRead<Read> {
  readonly read: Read;
  readonly resolve: (rows: readonly unknown[] | Promise<readonly unknown[]>) => void;
  readonly reject: (error: unknown) => void;
}

/** The maximum number of reads of a round trip, because the last of them waits for the results of all others. */
const SEATS = 16;

/**
 * Collects the reads of one tick, and sends them together. A round trip, which wakes a process of the server, costs both sides more than a read by a
 * key.
 */
export class SharedRoundTrips<Read> {
  #waiting: WaitingRead<Read>[] = [];

  /** @param travel sends reads together and settles each of them */
  constructor(private readonly travel: (passengers: readonly WaitingRead<Read>[]) => void) {}

  /** Adds a read to the next round trip, and returns its rows. */
  join(read: Read): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ read, resolve, reject }) > 1) return;
      // By then, all requests that have arrived on the sockets of this process have joined.
      void endOfTick().then(() => {
        this.#leave();
      });
    });
  }

  #leave(): void {
    const passengers = this.#waiting;
    this.#waiting = [];
    for (let first = 0; first < passengers.length; first += SEATS) this.travel(passengers.slice(first, first + SEATS));
  }
}

/** The number of milliseconds after which a usually cheap statement counts as delayed. The cause is a lock, a view, or a policy of the database. */
const HELD_UP = 250;

/** The statements whose results the server has not returned yet. */
export class InFlight {
  /** The time at which the first statement of each text was sent. */
  readonly #sent = new Map<string, number>();

  /**
   * Records statements as sent.
   *
   * @returns a function to call when their results have arrived
   */
  send(texts: readonly string[]): () => void {
    const first = texts.filter((text) => !this.#sent.has(text));
    const now = performance.now();
    for (const text of first) this.#sent.set(text, now);
    return () => {
      for (const text of first) this.#sent.delete(text);
    };
  }

  /** Whether a statement with the same text is delayed, so that another one is likely to be, too. */
  isHeldUp(text: string): boolean {
    const sent = this.#sent.get(text);
    return sent !== undefined && performance.now() - sent > HELD_UP;
  }
}
