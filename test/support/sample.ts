import { PROFILE } from './profile.mjs';

// `npm run test:long` runs each test file that imports this one, `describe-where.ts` or `long.ts`, directly or over others.

const IS_QUICK = PROFILE === 'quick';

/** What the profile `quick` takes a part of, and the profiles `ci` and `full` take whole. */
export const sample = {
  /** Returns one row in so many, for many rows of one kind. */
  oneIn<Row>(share: number, rows: readonly Row[]): readonly Row[] {
    return rows.filter((_, number) => !IS_QUICK || number % share === 0);
  },

  /**
   * Returns the product of variants and rows, of which the part has each row with one variant, in turn. For tests of code that all variants share, in which
   * a fault of one row appears with any variant.
   *
   * @example
   * it.each(sample.inTurn(PLATFORMS, ROWS))('… on %s: %j', async (platform, row) => { … });
   */
  inTurn<Variant, Row>(variants: readonly Variant[], rows: readonly Row[]): readonly (readonly [Variant, Row])[] {
    const product = rows.flatMap((row, number) =>
      variants.map((variant, index) => ({ variant, row, isItsTurn: number % variants.length === index })),
    );
    return product.filter(({ isItsTurn }) => !IS_QUICK || isItsTurn).map(({ variant, row }) => [variant, row] as const);
  },

  /** Returns the first value for the part, and the second for the whole. */
  choose<const Part, const Whole>(part: Part, whole: Whole): Part | Whole {
    return IS_QUICK ? part : whole;
  },

  /** `it` and `describe` of tests that the part omits: other tests cover the same there. */
  omitted: {
    it: IS_QUICK ? it.skip : it,
    describe: IS_QUICK ? describe.skip : describe,
  },
};
