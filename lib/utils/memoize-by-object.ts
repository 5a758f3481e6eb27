/** Returns a function that calls `make` at its first call, and then always returns the same value or throws the same error. */
export function once<Made>(make: () => Made): () => Made {
  let outcome: (() => Made) | undefined;
  return () => (outcome ??= attempt(make))();
}

function attempt<Made>(make: () => Made): () => Made {
  try {
    const made = make();
    return () => made;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Caches the results of a function by its argument, as long as the argument is not garbage-collected. Results must be immutable. */
export function memoizeByObject<Given extends object, Result>(call: (given: Given) => Result): (given: Given) => Result {
  const known = new WeakMap<Given, { readonly result: Result }>();
  return (given) => {
    let found = known.get(given);
    if (!found) known.set(given, (found = { result: call(given) }));
    return found.result;
  };
}
