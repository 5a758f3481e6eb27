/** Milliseconds after which a statement that is fast elsewhere is held up: by a lock, by a view, or by a policy of the database. */
const HELD_UP = 250;

/** The statements that the server has not answered yet. */
export class UnderWay {
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
