/** Where a command writes, e.g. `console`. */
export interface Terminal {
  readonly log: (text: string) => void;
  readonly error: (text: string) => void;
}
