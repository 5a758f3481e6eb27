import type { Random } from './random.js';

/** A way to write a text into a URL, in bytes. */
export type Encoding = (text: string) => string;

const escape = (byte: number): string => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`;

/** UTF-8, in which a lone surrogate has the three bytes that no UTF-8 may have. */
function utf8(text: string): readonly number[] {
  return Array.from(text).flatMap((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0xd800 || code > 0xdfff) return [...Buffer.from(character)];
    return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
  });
}

const encodeBytes = (text: string, isPlain: (character: string) => boolean): string =>
  utf8(text)
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return isPlain(character) ? character : escape(byte);
    })
    .join('');

export const percentEncode: Encoding = (text) => encodeBytes(text, (character) => /[\w.~!*'()-]/.test(character));

const readable: Encoding = (text) => encodeBytes(text, (character) => /[\w.~!*'()$[\],:{}"-]/.test(character));

/** Overlong UTF-8: two bytes for a character of one, which a decoder must reject. */
const overlong: Encoding = (text) =>
  percentEncode(text).replace(/[a-z]/i, (character) => {
    const code = character.charCodeAt(0);
    return escape(0xc0 | (code >> 6)) + escape(0x80 | (code & 0x3f));
  });

const STRANGE: readonly Encoding[] = [
  (text) => percentEncode(percentEncode(text)),
  (text) => encodeBytes(text, () => false),
  (text) => encodeBytes(text, () => false).toLowerCase(),
  // Raw bytes, except those that would end the request line.
  (text) => encodeBytes(text, (character) => character > ' ' && character !== '\x7f'),
  (text) => percentEncode(text).replaceAll('%20', '+'),
  overlong,
];

const BROKEN = [
  '%',
  '%2',
  '%zz',
  '%ff',
  '%80',
  '%c0%ae',
  '%u0041',
  '%00',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%0d%0a',
  '%2f',
  '%5c',
  '%23',
  '\xff',
  '\xc3',
  '\x01',
  '\t',
  '#',
  ';',
  '\\',
  '|',
];

export function randomEncoding(random: Random): Encoding {
  const dice = random.below(10);
  if (dice < 3) return percentEncode;
  if (dice < 6) return readable;
  if (dice < 9) return random.pick(STRANGE);
  return (text) => {
    const encoded = percentEncode(text);
    const at = random.below(encoded.length + 1);
    return encoded.slice(0, at) + random.pick(BROKEN) + encoded.slice(at);
  };
}
