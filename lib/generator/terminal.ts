/** The output of a command, e.g. `console`. */
export interface Terminal {
  readonly log: (text: string) => void;
  readonly error: (text: string) => void;
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return textMember(error, 'message') ?? String(error);
}

/** Returns Node's code of an error, e.g. `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return textMember(error, 'code');
}

/** Returns a member of type string; undefined otherwise. */
export function textMember(object: unknown, name: string): string | undefined {
  const value: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
