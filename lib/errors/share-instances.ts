/**
 * Makes `instanceof` accept instances of both copies of a class that a process may load: the ES module
 * and the CommonJS one. Call it in a static block of the class.
 *
 * @param name the same in both copies
 * @example
 * class ApiError extends Error {
 *   static {
 *     shareInstances(this, 'ApiError');
 *   }
 * }
 */
export function shareInstances(shared: abstract new (...args: never) => object, name: string): void {
  const mark = Symbol.for(`nestjs-resource-api: ${name}`);
  Object.defineProperty(shared.prototype, mark, { value: true });
  Object.defineProperty(shared, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A subclass inherits this function but has its own instances.
      if (this !== shared) return Function.prototype[Symbol.hasInstance].call(this as object, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
