/** The lines that differ between two texts, `- ` and `+ ` in front of them; of a new file, all of it. */
export function printDiff(before: string, after: string): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const common = commonLengths(old, now);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      [i, j] = [i + 1, j + 1];
      continue;
    }
    const isAdded = i === old.length || (j < now.length && lengthAt(common, i, j + 1) > lengthAt(common, i + 1, j));
    lines.push(isAdded ? `+ ${now[j++] ?? ''}` : `- ${old[i++] ?? ''}`);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** How many lines the rests of both texts have in common, from each pair of lines on. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = table[i];
      if (row)
        row[j] = old[i] === now[j] ? lengthAt(table, i + 1, j + 1) + 1 : Math.max(lengthAt(table, i + 1, j), lengthAt(table, i, j + 1));
    }
  }
  return table;
}

function lengthAt(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
