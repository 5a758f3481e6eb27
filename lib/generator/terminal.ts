/** Where a command writes: `console` fits. */
export interface Terminal {
  readonly log: (text: string) => void;
  readonly error: (text: string) => void;
}
