import { memberOf } from '../../errors/member-of.js';
import { isObject } from '../../utils/is-object.js';
import type { DataClient } from '../data-client.js';

/**
 * Returns the extensions of a Prisma client (`$extends`), the newest first. They are read from an undocumented member, because Prisma has no API for
 * them.
 *
 * @returns undefined for a client without that member, which may not be a Prisma client
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

/** An operation of a model that an extension hooks (`query`) or overrides (`model`). */
export interface ExtendedOperation {
  readonly part: 'query' | 'model';
  /** As the extension names it, e.g. `post` or `$allModels`; undefined for a hook on all operations of the client. */
  readonly model: string | undefined;
  /** The name of a method, or `$allOperations`. */
  readonly operation: string;
}

/** The name under which an extension hooks all operations of a model, or of the client. */
export const ALL_OPERATIONS = '$allOperations';

/** The name under which an extension hooks all models. */
export const ALL_MODELS = '$allModels';

/**
 * Returns the members of the parts `query` and `model` of a client's extensions, except those of `withRowLevelSecurity`.
 *
 * @returns undefined for a client whose extensions cannot be read
 */
export function extendedOperations(client: object): readonly ExtendedOperation[] | undefined {
  return extensionsOf(client)?.flatMap((extension) =>
    memberOf(extension, 'name') === ROW_LEVEL_SECURITY
      ? []
      : (['query', 'model'] as const).flatMap((part) => operationsIn(part, memberOf(extension, part))),
  );
}

function operationsIn(part: ExtendedOperation['part'], models: unknown): readonly ExtendedOperation[] {
  if (!isObject(models)) return [];
  return Object.entries(models).flatMap(([model, members]): readonly ExtendedOperation[] => {
    if (model === ALL_OPERATIONS) return [{ part, model: undefined, operation: ALL_OPERATIONS }];
    return isObject(members) ? Object.keys(members).map((operation) => ({ part, model, operation })) : [];
  });
}

/** The name of the extension of `withRowLevelSecurity`, whose hook handles all operations alike. */
export const ROW_LEVEL_SECURITY = 'row-level security';

/**
 * Whether a Prisma client, or a transaction of one, has no extensions (`$extends`) and no global `omit`. Prisma has no documented API for this. A
 * client whose members cannot be read is not plain. The result is not cached, because a Proxy of the application may return another client each time.
 */
export function isPlainClient(client: DataClient): boolean {
  return extensionsOf(client)?.length === 0 && OMITTED in client && memberOf(client, OMITTED) === undefined;
}

const OMITTED = '_globalOmit';
