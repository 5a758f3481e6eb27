const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1000;

/**
 * Returns `date.toISOString()` for a valid date, several times as fast.
 * Because most dates of a result fall on a few days, the text of each day is cached.
 */
export function toIsoString(date: Date): string {
  const time = date.getTime();
  const day = Math.floor(time / DAY);
  const rest = time - day * DAY;
  const hours = TWO_DIGITS[Math.trunc(rest / HOUR)];
  const minutes = TWO_DIGITS[Math.trunc(rest / MINUTE) % 60];
  const seconds = TWO_DIGITS[Math.trunc(rest / SECOND) % 60];
  return `${textOfDay(day)}${hours}:${minutes}:${seconds}.${THREE_DIGITS[rest % SECOND]}Z`;
}

const TWO_DIGITS = numbersOf(2, 60);
const THREE_DIGITS = numbersOf(3, SECOND);

function numbersOf(digits: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'));
}

const MOST_DAYS = 1000;
const days = new Map<number, string>();

/** Returns the date part with its `T`. Years beyond four digits have a sign. */
function textOfDay(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= MOST_DAYS) days.clear();
  const text = new Date(day * DAY).toISOString().slice(0, -'00:00:00.000Z'.length);
  days.set(day, text);
  return text;
}
