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

/** Calls a function once for each object, and keeps what it returns for as long as there is the object. What it returns must not change. */
export function onceEach<Given extends object, Result>(call: (given: Given) => Result): (given: Given) => Result {
  const known = new WeakMap<Given, { readonly result: Result }>();
  return (given) => {
    let found = known.get(given);
    if (!found) known.set(given, (found = { result: call(given) }));
    return found.result;
  };
}
