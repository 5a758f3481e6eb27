import { createHash } from 'node:crypto';
import { LruMap } from '../utils/lru-map.js';

/** What is known of the text of a statement. */
interface Seen {
  times: number;
  name?: string;
}

/** The most characters of statements that are remembered. */
const MOST_SEEN = 4_000_000;

/** How often a connection may have lost what it prepared before nothing is prepared any more. */
const MOST_LOST = 10;

/** Names the statements that are sent repeatedly, so that each connection prepares them once. */
export class StatementNames {
  readonly #seen = new LruMap<string, Seen>(MOST_SEEN, (text) => text.length);
  #lost = 0;

  /** Undefined for a statement that is not prepared. */
  nameOf(text: string): string | undefined {
    if (this.#lost >= MOST_LOST) return undefined;
    const seen = this.#seen.get(text) ?? { times: 0 };
    if (seen.name !== undefined) return seen.name;
    seen.times += 1;
    if (seen.times > 1) seen.name = nameFor(text);
    this.#seen.set(text, seen);
    return seen.name;
  }

  /** A connection did not have what it has prepared: between it and the server is a pooler that does not keep prepared statements apart. */
  lose(): void {
    this.#lost += 1;
  }
}

/**
 * The same name for the same text always and everywhere: a name that is given up and given again, or that another process has given over the
 * same pooled connection, never stands for another statement.
 */
function nameFor(text: string): string {
  return `resource_api_${createHash('sha256').update(text).digest('base64url')}`;
}
