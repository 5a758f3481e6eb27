/**
 * Whether two values of one field are the same to the database, whatever object stands for them: dates by their time, decimals by
 * their number (`'1.50'` is `1.5`), bytes by their content, integers whichever type holds them.
 */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (isObject(left)) return isSameObject(left, right);
  if (isObject(right)) return isSameObject(right, left);
  return typeof left !== typeof right && isNumberLike(left) && isNumberLike(right) && String(left) === String(right);
}

function isSameObject(left: object, right: unknown): boolean {
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left instanceof Date) return right instanceof Date && left.getTime() === right.getTime();
  return isDecimal(left) && right !== null && right !== undefined && left.equals(right);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

interface DecimalLike {
  equals(other: unknown): boolean;
}

function isDecimal(value: object): value is DecimalLike {
  return 'toFixed' in value && 'equals' in value;
}

function isNumberLike(value: unknown): value is number | bigint | string {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string';
}
