import type { DataClient } from '../data-client/data-client.js';
import { extensionsOf, ROW_LEVEL_SECURITY } from '../data-client/extensions-of.js';
import { memberOf } from '../errors/member-of.js';

/** The writes that rules may make as other operations, and as which. */
const MADE_AS: Readonly<Record<string, string>> = {
  createMany: 'createManyAndReturn, or create for each record',
  update: 'updateMany, or several operations',
  updateMany: 'updateManyAndReturn',
  upsert: 'findUnique, and then create or update',
  delete: 'deleteMany',
};

/** The same where records are kept that are deleted. */
const KEPT_AS: typeof MADE_AS = { ...MADE_AS, delete: 'updateMany', deleteMany: 'updateMany' };

/** Why operations are made as others. */
export interface Reworking {
  /** For the text, e.g. `rules`. */
  readonly stage: string;
  /** Whether some models have soft delete. */
  readonly keeps: boolean;
}

/**
 * What to warn of: extensions of a Prisma client that wait for operations which rules, hooks and soft delete may make as others.
 *
 * @returns undefined where there are none
 */
export function passedByHooks(client: DataClient, { stage, keeps }: Reworking): string | undefined {
  const table = keeps ? KEPT_AS : MADE_AS;
  const names = (extensionsOf(client) ?? []).flatMap((extension) =>
    memberOf(extension, 'name') === ROW_LEVEL_SECURITY
      ? []
      : [...hooksOf(memberOf(extension, 'query'), table), ...hooksOf(memberOf(extension, 'model'), table)],
  );
  if (names.length === 0) return undefined;
  const operations = Object.entries(table).filter(([name]) =>
    names.some((hook) => hook.endsWith('$allOperations') || hook.endsWith(`.${name}`)),
  );
  const made = operations.map(([name, others]) => `${name} may be made as ${others}`);
  return (
    `Under ${stage}, extensions of the data client may not see the operation that was asked for: ${made.join('; ')}. ` +
    `So ${[...new Set(names)].join(', ')} may be passed by. ` +
    'Extend the operations that are made instead, too, or have the database do it.'
  );
}

/** `model.operation`, as the extension has them. */
function hooksOf(part: unknown, table: typeof MADE_AS): readonly string[] {
  const members = Object.entries(Object(part) as object) as readonly (readonly [string, unknown])[];
  return members.flatMap(([model, hooks]) => {
    if (model === ALL) return [ALL];
    return Object.keys(Object(hooks) as object).flatMap((name) => (name === ALL || Object.hasOwn(table, name) ? [`${model}.${name}`] : []));
  });
}

const ALL = '$allOperations';
