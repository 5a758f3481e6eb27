import { randomBytes, randomInt } from 'node:crypto';

let last = { time: 0, sequence: 0 };

/** A UUID of version 7: ids of one process ascend, those of one millisecond among them (RFC 9562, section 6.2, method 1). */
export function uuid7(now: number): string {
  last = next(now);
  const bytes = randomBytes(16);
  bytes.writeUIntBE(last.time, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.sequence, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Room for half of the sequence at least, in each millisecond. */
function next(now: number): typeof last {
  if (now > last.time) return { time: now, sequence: randomInt(0x800) };
  const { time, sequence } = last;
  return sequence < 0xfff ? { time, sequence: sequence + 1 } : { time: time + 1, sequence: 0 };
}

/** A Nano ID: any letters, digits, `_` and `-`. */
export function nanoid(size: number): string {
  return randomBytes(size).toString('base64url').slice(0, size);
}

/** A ULID: the time in milliseconds and 80 random bits, in Crockford's Base32. */
export function ulid(now: number): string {
  const bits = (BigInt(now) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  return bits
    .toString(32)
    .padStart(26, '0')
    .replaceAll(/./g, (digit) => CROCKFORD.charAt(Number.parseInt(digit, 32)));
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
