/** Makes something when it is first asked for, and hands the same on from then on, even if it is an error. */
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

/** A function of an object, called once for each: of one that it says the same of at any time. */
export function onceEach<Given extends object, Result>(call: (given: Given) => Result): (given: Given) => Result {
  const known = new WeakMap<Given, { readonly result: Result }>();
  return (given) => {
    let found = known.get(given);
    if (!found) known.set(given, (found = { result: call(given) }));
    return found.result;
  };
}
