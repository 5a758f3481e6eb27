/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return memberOf(error, 'message') ?? String(error);
}

/** Node's code of an error, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return memberOf(error, 'code');
}

function memberOf(error: unknown, name: string): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
