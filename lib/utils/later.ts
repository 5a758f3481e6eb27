/** A call to be made later, with what it is given now. */
export function later<Given extends readonly unknown[]>(call: (...given: Given) => void, ...given: Given): () => void {
  return () => {
    call(...given);
  };
}
