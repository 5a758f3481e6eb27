const LEAKS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a stack trace', /\\n\s+at |\bat [^\n]+ \([^\n]+:\d+:\d+\)/],
  ['a file path', /node_modules|file:\/\/|(?:^|[\s"'(])\/(?:work|home|root|usr|var|tmp)\//],
  ['SQL', /\b(?:SELECT .+ FROM|INSERT INTO|UPDATE ["`].+ SET|DELETE FROM)\b/],
  ["the Prisma client's code frame", /\bInvocation\b|Invalid `[\w.]+\(\)`/i],
  ['a connection string', /postgres(?:ql)?:\/\//],
];

/**
 * Finds the texts that an error body must never contain (decisions, "Error codes"): SQL, stacks, file paths, connection strings, the Prisma client's own
 * report.
 *
 * @param text the body as it was sent
 * @returns one sentence per leak
 */
export function findLeaks(text: string): readonly string[] {
  return LEAKS.filter(([, pattern]) => pattern.test(text)).map(([what]) => `The error body holds ${what}.`);
}
