/** Where a command writes, e.g. `console`. */
export interface Terminal {
  readonly log: (text: string) => void;
  readonly error: (text: string) => void;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return textMember(error, 'message') ?? String(error);
}

/** Node's code of an error, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return textMember(error, 'code');
}

/** A member that is a text. */
export function textMember(object: unknown, name: string): string | undefined {
  const value: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
