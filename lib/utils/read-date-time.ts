/**
 * Reads an ISO 8601 date and time with a time zone, a date alone (midnight UTC, as in ECMAScript), or a valid Date. Returns undefined for
 * days that do not exist (`2023-02-30`), local times, and years before 0001 or after 9999.
 */
export function readDateTime(value: unknown): Date | undefined {
  if (value instanceof Date) return withStorableYear(value);
  if (typeof value !== 'string') return undefined;
  const match = ISO_8601.exec(value);
  if (!match || !isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))) return undefined;
  return withStorableYear(new Date(value));
}

const ISO_8601 = /^(\d{4})-(\d\d)-(\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
function isCalendarDay(year: number, month: number, day: number): boolean {
  const leapDay = month === 2 && isLeapYear(year) ? 1 : 0;
  return day >= 1 && day <= (DAYS[month - 1] ?? 0) + leapDay;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Returns undefined for years before 1 and after 9999, which databases treat differently, and for an invalid Date, whose year is NaN. */
function withStorableYear(date: Date): Date | undefined {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}
