import { didYouMean } from '../errors/did-you-mean.js';

/** Returns the remedy for an unknown name: the most similar name, or the list of all names. */
export function remedyFor(name: string, known: readonly string[], introduction: string): string {
  const hint = didYouMean(name, known).trim();
  if (hint !== '') return hint;
  return known.length === 0 ? `${introduction}: none.` : `${introduction} ${quoteSome(known)}.`;
}

const MOST = 20;

function quoteSome(names: readonly string[]): string {
  const some = names
    .slice(0, MOST)
    .map((name) => `'${name}'`)
    .join(', ');
  return names.length > MOST ? `${some} and ${names.length - MOST} more` : some;
}
