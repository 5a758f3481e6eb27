/** Returns a function without parameters that calls `call` with the given arguments. */
export function later<Given extends readonly unknown[]>(call: (...given: Given) => void, ...given: Given): () => void {
  return () => {
    call(...given);
  };
}
