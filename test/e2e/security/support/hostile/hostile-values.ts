import { JSON_TEXTS, NAMES, PARAMETERS } from './hostile-words.js';
import type { Random } from './random.js';

export function randomName(random: Random): string {
  const dice = random.below(20);
  if (dice === 0) return random.pick(['a', '_', 'ä', '.']).repeat(60);
  if (dice === 1) return random.pick(['a', '[', '😀', '%41']).repeat(random.pick([200, 1000, 5000]));
  const name = random.pick(NAMES);
  return dice < 5 ? inAnyCase(random, name) : name;
}

/** Returns a name in another letter case, because PrismaPg and the engine compare some words case-insensitively. */
export function inAnyCase(random: Random, name: string): string {
  return name.replace(/[a-z]/gi, (letter) => (random.chance(0.5) ? letter.toUpperCase() : letter.toLowerCase()));
}

/** Returns the text of a JSON value of an unexpected type. */
export function randomJson(random: Random): string {
  const dice = random.below(24);
  if (dice === 0) return nested(random);
  if (dice === 1)
    return `[${Array.from({ length: random.pick([101, 1001, 5000]) }, (_, index) => random.pick([`${index}`, '"x"', '{}', '1'])).join()}]`;
  if (dice === 2) return `{${Array.from({ length: random.pick([20, 1000, 5000]) }, (_, index) => `"k${index}":1`).join()}}`;
  if (dice === 3) return JSON.stringify(random.pick(['x', '"', 'ü', '\\', '😀', '\n']).repeat(random.pick([100, 5000, 50_000])));
  if (dice === 4)
    return (
      random.pick(['', '-']) +
      random.pick(['9', '1']).repeat(random.pick([16, 17, 20, 40, 400, 5000])) +
      random.pick(['', '.5', 'e9', 'e-9', 'e999999999'])
    );
  if (dice === 5) return JSON.stringify(randomName(random));
  return random.pick(JSON_TEXTS);
}

const WRAPPERS = [
  ['{"AND":[', ']}'],
  ['{"OR":[', ']}'],
  ['{"NOT":', '}'],
  ['{"where":', '}'],
  ['{"include":{"author":', '}}'],
  ['{"include":{"posts":', '}}'],
  ['{"select":{"posts":', '}}'],
  ['{"author":{"is":', '}}'],
  ['{"author":{"posts":{"some":', '}}}'],
  ['{"data":', '}'],
  ['{"create":', '}'],
  ['[', ']'],
  ['{"a":', '}'],
] as const;

export function nested(random: Random, inner = random.pick(['{}', 'true', '[]', '1', '{"id":1}'])): string {
  const [open, close] = random.pick(WRAPPERS);
  const depth = random.pick([2, 5, 9, 11, 30, 200, 2000]);
  return open.repeat(depth) + inner + close.repeat(depth);
}

export function randomParameter(random: Random): string {
  const dice = random.below(16);
  if (dice === 0) return random.pick(['x', 'a,', 'author.', '(', '%', 'ü']).repeat(random.pick([50, 500, 3000]));
  if (dice === 1) return Array.from({ length: random.pick([99, 101, 2000]) }, (_, index) => index).join();
  if (dice === 2) return randomName(random);
  if (dice === 3) return randomJson(random).slice(0, 5000);
  return random.pick(PARAMETERS);
}
