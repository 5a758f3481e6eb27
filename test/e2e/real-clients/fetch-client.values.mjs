/** Between a test and its client's process: what JSON lacks as `{ $type, value }`. */
export function hide(value) {
  if (value instanceof Date) return { $type: 'Date', value: value.toISOString() };
  if (typeof value === 'bigint') return { $type: 'bigint', value: String(value) };
  if (value instanceof Uint8Array) return { $type: 'Bytes', value: [...value] };
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.toFixed === 'function') return { $type: 'Decimal', value: value.toFixed() };
  return Array.isArray(value) ? value.map(hide) : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hide(member)]));
}

export function reveal(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (value.$type === 'Date') return new Date(value.value);
  if (value.$type === 'bigint') return BigInt(value.value);
  if (value.$type === 'Bytes') return Uint8Array.from(value.value);
  return Array.isArray(value) ? value.map(reveal) : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reveal(member)]));
}
