import { inAnyCase, nested, randomJson, randomName } from './hostile-values.js';
import type { Random } from './random.js';

/** A value that is written as it is, whether it is JSON or not. */
class Verbatim {
  constructor(readonly text: string) {}
}

type Container = Record<string, unknown> | unknown[];

interface Slot {
  readonly container: Container;
  readonly key: string;
}

/** Changes some places of a JSON text. The result may be invalid JSON. */
export function mutateJson(random: Random, text: string): string {
  // Long or deep results of other mutations are mutated as a text.
  if (random.chance(0.1)) return changeCase(random, text);
  const root = { value: text.length > LONGEST_TREE ? undefined : parse(text) };
  if (root.value === undefined) return mutateText(random, text);
  for (let count = 1 + random.below(2); count > 0; count -= 1) {
    const slots = slotsOf(root);
    if (slots.length > 0) random.pick(TREE_MUTATIONS)(random, random.pick(slots));
  }
  const changed = print(root.value);
  return random.chance(0.25) ? mutateText(random, changed) : changed;
}

const LONGEST_TREE = 2000;

/** Characters: more than `limits.maxBodySize` allows. */
const LONGEST_LIST = 2_000_000;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns all places of values, including the root. */
function slotsOf(container: Container, found: Slot[] = []): Slot[] {
  for (const key of Object.keys(container)) {
    found.push({ container, key });
    const value = valueAt({ container, key });
    if (isContainer(value)) slotsOf(value, found);
  }
  return found;
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null && !(value instanceof Verbatim);

const valueAt = ({ container, key }: Slot): unknown => (container as Record<string, unknown>)[key];

/** Sets a member under any name, `__proto__` too. */
function put(container: Container, key: string, value: unknown): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

const TREE_MUTATIONS: readonly ((random: Random, slot: Slot) => void)[] = [
  (random, { container, key }) => {
    put(container, key, new Verbatim(randomJson(random)));
  },
  (random, { container, key }) => {
    put(container, key, new Verbatim(randomJson(random)));
  },
  (random, slot) => {
    rename(slot, randomName(random));
  },
  (random, slot) => {
    rename(slot, inAnyCase(random, slot.key));
  },
  (random, slot) => {
    const value = valueAt(slot);
    if (isContainer(value) && !Array.isArray(value)) put(value, randomName(random), new Verbatim(randomJson(random)));
    else put(slot.container, slot.key, [value]);
  },
  (random, slot) => {
    put(slot.container, slot.key, new Verbatim(nested(random, print(valueAt(slot)))));
  },
  (random, slot) => {
    const value = valueAt(slot);
    const count = random.pick([2, 101, 1001]);
    // A list of long lists would have hundreds of megabytes.
    const isLong = count * print(value).length > LONGEST_LIST;
    put(slot.container, slot.key, Array<unknown>(isLong ? 2 : count).fill(value));
  },
  (_, { container, key }) => {
    Reflect.deleteProperty(container, key);
  },
  (_, slot) => {
    const value = valueAt(slot);
    put(slot.container, slot.key, typeof value === 'number' || typeof value === 'boolean' ? String(value) : { value });
  },
];

function rename(slot: Slot, name: string): void {
  if (Array.isArray(slot.container)) return;
  const value = valueAt(slot);
  Reflect.deleteProperty(slot.container, slot.key);
  put(slot.container, name, value);
}

function print(value: unknown): string {
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return `[${value.map(print).join()}]`;
  if (!isContainer(value)) return JSON.stringify(value ?? null);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${print(member)}`)
    .join()}}`;
}

/** Mutates the text itself: duplicate keys, truncated texts, syntax that other parsers accept. */
function mutateText(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return random.pick([
    () => text.slice(0, at),
    () => text + random.pick(['}', ']', ',', '\u0000', ' \n', 'x', text]),
    () =>
      text.slice(0, at) +
      random.pick(['\u0000', '\ud800', '"', '\\', '\\u', '\\ud800', '/**/', "'", ',', '\ufeff', '\u2028']) +
      text.slice(at),
    () => repeatKey(random, text),
    () => repeatKey(random, text),
    () => changeCase(random, text),
    () => text.replaceAll('"', "'"),
    () => `\ufeff${text}`,
    () => ' \t\n'.repeat(random.pick([1, 1000])) + text,
    () => text.replace(/\d+/, random.pick(['01', '.5', '5.', '0x1', '+1', 'NaN', '1_000', '1e', '1n', '-'])),
  ])();
}

/** Writes a member a second time, with another value. */
function repeatKey(random: Random, text: string): string {
  const keys = [...text.matchAll(/"(?:\w+)":/g)];
  if (keys.length === 0) return `{${text}}`;
  const { index, 0: key } = random.pick(keys);
  const value = random.pick(['null', '1', '"x"', '{}', '[]', '{"id":1}']);
  return `${text.slice(0, index)}${key}${value},${text.slice(index)}`;
}

/** Changes the letter case of a name. */
function changeCase(random: Random, text: string): string {
  const names = [...text.matchAll(/"[A-Za-z_]+"/g)];
  if (names.length === 0) return text;
  const { index, 0: name } = random.pick(names);
  return text.slice(0, index) + inAnyCase(random, name) + text.slice(index + name.length);
}
