/** Ends a message of another library with a full stop, as details of errors do. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
