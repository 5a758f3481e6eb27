/** Whether a value is an error, of another realm too: `instanceof` knows those of its own (a worker's, a `vm` context's, a test environment's). */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
