/**
 * What went wrong with reading the body of a request (over the limit, not inflatable, cut off), kept until its route is reached. By Node's own
 * request, so that every mount of this module knows it.
 */
const faults = new WeakMap<object, unknown>();

/** @returns undefined where nothing went wrong */
export function bodyFaultOf(raw: object): unknown {
  return faults.get(raw);
}

/** @param fault of body-parser's kind, with a `status` */
export function keepBodyFault(raw: object, fault: unknown): void {
  faults.set(raw, fault);
}
