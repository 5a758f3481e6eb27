import { memberOf } from '../errors/member-of.js';

/**
 * The extensions of a Prisma client (`$extends`), the newest first. Prisma documents no way to them.
 *
 * @returns undefined for a client that does not tell, which may be none of Prisma's
 */
export function extensionsOf(client: object): readonly unknown[] | undefined {
  const extensions = memberOf(client, '_extensions');
  if (extensions === undefined) return undefined;
  const found: unknown[] = [];
  for (let one = memberOf(extensions, 'head'); one !== undefined; one = memberOf(one, 'previous')) {
    const extension = memberOf(one, 'extension');
    if (extension === undefined) return undefined;
    found.push(extension);
  }
  return found;
}

/** The extension of `withRowLevelSecurity`, whose hook does the same for any operation. */
export const ROW_LEVEL_SECURITY = 'row-level security';
