import { endOfTick } from '../executor/yield-to-event-loop.js';

/** A read that waits for its trip. */
export interface WaitingRead<Read> {
  readonly read: Read;
  readonly resolve: (rows: readonly unknown[] | Promise<readonly unknown[]>) => void;
  readonly reject: (error: unknown) => void;
}

/** The most reads of one trip: the last of them waits until the others are answered. */
const SEATS = 16;

/**
 * Takes reads that begin in one turn of the event loop to the server together: to send something, which wakes up a process there, costs both sides more
 * than to answer a read by a key.
 */
export class SharedRoundTrips<Read> {
  #waiting: WaitingRead<Read>[] = [];

  /** @param travel settles each of them */
  constructor(private readonly travel: (passengers: readonly WaitingRead<Read>[]) => void) {}

  /** The rows of a read. */
  join(read: Read): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ read, resolve, reject }) > 1) return;
      // After all that has arrived on the sockets of this process.
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

/** Milliseconds after which a statement that is fast elsewhere is held up: by a lock, by a view, or by a policy of the database. */
const HELD_UP = 250;

/** The statements that the server has not answered yet. */
export class InFlight {
  /** When the first of them was sent, by its text. */
  readonly #sent = new Map<string, number>();

  /** @returns what is called once they are answered */
  send(texts: readonly string[]): () => void {
    const first = texts.filter((text) => !this.#sent.has(text));
    const now = performance.now();
    for (const text of first) this.#sent.set(text, now);
    return () => {
      for (const text of first) this.#sent.delete(text);
    };
  }

  /** Whether one with the same text is held up, so that a further one would be, too. */
  isHeldUp(text: string): boolean {
    const sent = this.#sent.get(text);
    return sent !== undefined && performance.now() - sent > HELD_UP;
  }
}
