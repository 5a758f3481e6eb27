import type { Pool } from 'pg';

/** What a pool's connections have been asked, each round trip with its statements. */
export function logged(pool: Pool): string[][] {
  const trips: string[][] = [];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
    // One function for all overloads of `query`.
    client.query = ((...args: readonly unknown[]) => {
      const [first] = args as readonly [string | { readonly text: string; readonly steps?: readonly { readonly text: string }[] }];
      trips.push(typeof first === 'string' ? [first] : (first.steps ?? [first]).map(({ text }) => text));
      return query(...args);
    }) as never;
  });
  return trips;
}
