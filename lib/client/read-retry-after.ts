/**
 * Reads the header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
 *
 * @param now milliseconds since 1970, as `Date.now` gives them
 * @returns seconds, 0 for a date that has passed; undefined where the header is absent or neither
 */
export function readRetryAfter(header: string | null | undefined, now = Date.now()): number | undefined {
  if (header === null || header === undefined || header === '') return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  // `Date.parse` takes much for a date, '-1' among it.
  const date = header.endsWith(' GMT') ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
