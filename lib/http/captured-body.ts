/**
 * The body of a request, read once before the route. An error is stored as a value and thrown inside the route. Guards therefore run first,
 * and the error is rendered in the format of the style.
 */
export type CapturedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  /** A form, according to the content type; still encoded. */
  | { readonly kind: 'form'; readonly text: string }
  /** Neither JSON nor a form, according to the content type. Its bytes are ignored. */
  | { readonly kind: 'other' }
  | { readonly kind: 'malformed'; readonly detail: string };

export const NO_BODY: CapturedBody = { kind: 'none' };
const OTHER: CapturedBody = { kind: 'other' };

/**
 * Parses the bytes of a body by its content type: JSON types (`application/json`, `application/…+json`) become values, forms become text,
 * other types are ignored. JSON must be UTF-8 (RFC 8259, section 8.1); invalid UTF-8 is malformed.
 */
export function captureBody(bytes: Uint8Array | undefined, contentType: string | undefined): CapturedBody {
  if (bytes === undefined || bytes.length === 0) return NO_BODY;
  if (!isJson(contentType)) return isForm(contentType) ? captureForm(bytes) : OTHER;
  try {
    return { kind: 'json', value: JSON.parse(decode(bytes)) };
  } catch (error) {
    return { kind: 'malformed', detail: `The request body is not valid JSON${positionOf(error)}.` };
  }
}

function captureForm(bytes: Uint8Array): CapturedBody {
  try {
    return { kind: 'form', text: decode(bytes) };
  } catch {
    return { kind: 'malformed', detail: 'The request body is not UTF-8.' };
  }
}

function decode(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function isJson(contentType: string | undefined): boolean {
  return /^\s*application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

function isForm(contentType: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

/** Extracts the position from V8's error message. The rest of that message is omitted, because it repeats the body. */
function positionOf(error: unknown): string {
  const position = /at position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? '' : ` at position ${position}`;
}
