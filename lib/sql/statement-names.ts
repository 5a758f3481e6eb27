import { createHash } from 'node:crypto';
import { SecondChanceCache } from '../utils/second-chance-cache.js';

/** The number of times that a statement was sent, and its name. */
interface Seen {
  times: number;
  name?: string;
}

/** The maximum number of characters of the remembered statements. */
const MOST_SEEN = 4_000_000;

/** The number of times that connections may lose prepared statements, before statements are no longer prepared. */
const MOST_LOST = 10;

/** Names the statements that are sent repeatedly, so that each connection prepares them once. */
export class StatementNames {
  readonly #seen = new SecondChanceCache<string, Seen>(MOST_SEEN, (text) => text.length);
  #lost = 0;

  /** Returns the name of a statement; undefined for its first use, which is not prepared. */
  nameOf(text: string): string | undefined {
    if (this.#lost >= MOST_LOST) return undefined;
    const seen = this.#seen.get(text) ?? { times: 0 };
    if (seen.name !== undefined) return seen.name;
    seen.times += 1;
    if (seen.times > 1) seen.name = nameFor(text);
    this.#seen.set(text, seen);
    return seen.name;
  }

  /** Records that a connection has lost its prepared statements. A pooler between it and the server mixes those of several clients. */
  lose(): void {
    this.#lost += 1;
  }
}

/**
 * Returns a name that depends only on the text of the statement. The same name therefore never means another statement: neither after it was closed
 * and prepared again, nor if another process uses the same pooled connection.
 */
function nameFor(text: string): string {
  return `resource_api_${createHash('sha256').update(text).digest('base64url')}`;
}
