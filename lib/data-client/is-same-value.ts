/**
 * Whether two values of one field are the same to the database, whatever object stands for them: dates by their time, decimals by
 * their number (`'1.50'` is `1.5`), bytes by their content.
 */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (left == null || right == null) return false;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left instanceof Date) return right instanceof Date && left.getTime() === right.getTime();
  if (isDecimal(left)) return left.equals(right);
  if (isDecimal(right)) return right.equals(left);
  return typeof left !== typeof right && isNumberLike(left) && isNumberLike(right) && String(left) === String(right);
}

interface DecimalLike {
  equals(other: unknown): boolean;
}

function isDecimal(value: unknown): value is DecimalLike {
  return typeof value === 'object' && value !== null && 'toFixed' in value && 'equals' in value;
}

function isNumberLike(value: unknown): value is number | bigint | string {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string';
}
