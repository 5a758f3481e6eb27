import { IS_SHORT } from './is-short.js';

export { IS_SHORT };

/**
 * `it` and `describe` but in `npm test`, where their tests are skipped: what they ask is asked there in another way. The long suites, and runs on another database
 * than the embedded one, have them.
 */
export const itInFull = IS_SHORT ? it.skip : it;
export const describeInFull = IS_SHORT ? describe.skip : describe;

/**
 * Rows of a test on each of these: the whole product, but in `npm test` each row on one of them, in turn. For tests of what is written once for
 * all of them, so that a fault of one row shows on any.
 *
 * @example
 * it.each(inTurn(PLATFORMS, ROWS))('… on %s: %j', async (platform, row) => { … });
 */
export function inTurn<Variant, Row>(variants: readonly Variant[], rows: readonly Row[]): readonly (readonly [Variant, Row])[] {
  const product = rows.flatMap((row, number) =>
    variants.map((variant, index) => ({ variant, row, isItsTurn: number % variants.length === index })),
  );
  return product.filter(({ isItsTurn }) => !IS_SHORT || isItsTurn).map(({ variant, row }) => [variant, row] as const);
}

/** One row in so many in `npm test`, and all of them in the long suites: for many rows of one kind. */
export function oneIn<Row>(share: number, rows: readonly Row[]): readonly Row[] {
  return rows.filter((_, number) => !IS_SHORT || number % share === 0);
}

/** How much of something: the first in `npm test`, the second in the long suites. */
export function shortOrLong(short: number, long: number): number {
  return IS_SHORT ? short : long;
}
