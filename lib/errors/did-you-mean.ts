/**
 * Returns a hint for a name that does not exist, e.g. ` Did you mean 'title'?`, or `''` if no known name is similar.
 *
 * A name is similar with one typo per three characters (insertion, deletion, replacement, swap of neighbours), or with a difference in case only.
 * Pass only names that are visible to the caller as `known`.
 */
export function didYouMean(name: string, known: Iterable<string>): string {
  const limit = Math.max(1, Math.floor(name.length / 3));
  if (name.length > MAX_LENGTH) return '';
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = typoDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best === undefined ? '' : ` Did you mean '${best}'?`;
}

/** Maximum length of a name that gets a hint. It limits the cost of a hostile request. */
const MAX_LENGTH = 64;

/** Computes the optimal string alignment distance. Returns `bound` as soon as the distance reaches it. */
function typoDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const replaced = at(previous, j - 1) + (same ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(beforePrevious, j - 2) + 1 : Infinity;
      current.push(Math.min(at(previous, j) + 1, at(current, j - 1) + 1, replaced, swapped));
    }
    if (Math.min(...current) >= bound) return bound;
    [beforePrevious, previous] = [previous, current];
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
