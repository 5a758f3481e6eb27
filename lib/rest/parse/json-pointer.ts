/**
 * The pointer to a member below another one (RFC 6901).
 *
 * @example
 * memberPointer('/data/attributes', 'a/b'); // '/data/attributes/a~1b'
 */
export function memberPointer(parent: string, member: string | number): string {
  return `${parent}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
