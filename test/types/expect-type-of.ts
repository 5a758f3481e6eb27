/** Whether two types are the same: neither is wider, `any` is only itself, and optional is not the same as absent. */
export type Same<A, B> = (<T>(value: T) => T extends A ? 1 : 2) extends <T>(value: T) => T extends B ? 1 : 2 ? true : false;

export interface TypeAssertion<Actual> {
  /** Compiles only where the type of the value is exactly `Expected`. */
  is<Expected>(same: Same<Actual, Expected>): TypeAssertion<Expected>;
}

/**
 * What the compiler says about a value. There is no code behind it: type tests are compiled, never run.
 *
 * @example
 * expectTypeOf(post.title).is<string>(true);
 */
export declare function expectTypeOf<Actual>(value: Actual): TypeAssertion<Actual>;
