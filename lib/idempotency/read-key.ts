import { ApiError } from '../errors/api-error.js';

/** The header's name, as errors and documents write it. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/**
 * The key of a request: a String of RFC 9651 in its quotes, or bare, as many clients write it. Both spell the same key. Parameters are ignored.
 *
 * @param header as Node gives it; several are one text, with commas between them
 * @param strict whether a bare key is refused
 * @returns undefined where there is none
 * @throws ApiError `unsupported-header`
 */
export function readKey(header: string | readonly string[] | undefined, strict = false): string | undefined {
  if (header === undefined) return undefined;
  const text = [header].flat().join(', ');
  const key = quotedKey(text) ?? (strict ? undefined : BARE.exec(text)?.[1]) ?? '';
  if (key.length > 0 && key.length <= MAX_LENGTH) return key;
  const forms = strict ? 'in double quotes' : 'in double quotes, or bare letters, digits and signs';
  throw unsupportedKey(`${IDEMPOTENCY_KEY} must be one key of 1 to ${MAX_LENGTH} characters, ${forms}.`);
}

function quotedKey(text: string): string | undefined {
  return QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1');
}

export function unsupportedKey(detail: string): ApiError {
  return new ApiError('unsupported-header', detail, { source: { header: IDEMPOTENCY_KEY } });
}

const MAX_LENGTH = 255;

/** RFC 9651, section 3.3.3, and its parameters. */
const QUOTED = /^[ \t]*"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"[ \t]*(?:;.*)?$/;
const BARE = /^[ \t]*([!#$%&'*+\-.^_|~:/A-Za-z0-9=]+)[ \t]*(?:;.*)?$/;
