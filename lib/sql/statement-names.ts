/** What is known of the text of a statement. */
interface Seen {
  times: number;
  name?: string;
}

/**
 * Names statements that are sent repeatedly, so that each connection prepares them once. Their number is limited, because connections keep prepared
 * statements.
 */
export class StatementNames {
  readonly #seen = new Map<string, Seen>();
  #named = 0;

  constructor(private readonly most = 2000) {}

  /** Undefined for a statement that is not prepared. */
  nameOf(text: string): string | undefined {
    const seen = this.#seen.get(text) ?? { times: 0 };
    if (seen.name !== undefined) return seen.name;
    this.#seen.delete(text);
    this.#seen.set(text, seen);
    seen.times += 1;
    if (seen.times > 1 && this.#named < this.most) seen.name = `resource_api_${this.#named++}`;
    this.forgetOldest();
    return seen.name;
  }

  private forgetOldest(): void {
    if (this.#seen.size <= 2 * this.most) return;
    for (const [text, { name }] of this.#seen) {
      if (name !== undefined) continue;
      this.#seen.delete(text);
      return;
    }
  }
}
