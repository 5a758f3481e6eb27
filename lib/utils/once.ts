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
