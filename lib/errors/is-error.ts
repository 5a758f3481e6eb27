/** Whether a value is an error, also of another realm (a worker, a `vm` context, a test environment), where `instanceof` fails. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
