import type { EntityTags, Preconditions } from '../../../http/preconditions.js';
import type { StoredModel } from '../../../model/storage/storage.js';
import { ALWAYS, and, compare, type Condition, NEVER, not } from '../../../query/condition.js';
import type { HashedField } from '../../../model/surface/surface.js';
import { hasValues } from '../../../query/fields.js';
import type { Row } from '../../../query/result.js';

/**
 * What the preconditions of a write require of the row, as a condition of its own statement (CC-03, CC-15, CC-22). Of a tag its version counts, which
 * is the same in every representation; where rows have no version, no tag matches.
 *
 * @param acceptsWeak whether `If-Match` takes tags that a proxy has weakened
 */
export function requiredVersion({ ifMatch, ifNoneMatch }: Preconditions, model: StoredModel, acceptsWeak: boolean): Condition {
  return and(
    ifMatch === undefined ? ALWAYS : hasVersion(ifMatch, model, (isWeak) => acceptsWeak || !isWeak),
    ifNoneMatch === undefined ? ALWAYS : not(hasVersion(ifNoneMatch, model, () => true)),
  );
}

function hasVersion(tags: EntityTags, { version }: StoredModel, counts: (isWeak: boolean) => boolean): Condition {
  if (tags === '*') return ALWAYS;
  const versions = tags.flatMap(({ isWeak, value }) => (counts(isWeak) ? versionOf(value, version?.type === 'BigInt') : []));
  return version && versions.length > 0 ? compare(version, 'in', versions) : NEVER;
}

/** `3` and `3.digest`. Prisma refuses an Int that is none. */
function versionOf(tag: string, isBig: boolean): readonly (number | bigint)[] {
  const digits = /^(-?\d{1,19})(?:\..*)?$/.exec(tag)?.[1];
  if (digits === undefined) return [];
  const value = BigInt(digits);
  const bits = isBig ? 64 : 32;
  if (BigInt.asIntN(bits, value) !== value) return [];
  return [isBig ? value : Number(value)];
}

/** That a row still has the values that were hashed, for the statement that writes it (CC-16). */
export function matchesRowHash(model: StoredModel, row: Row, fields: readonly HashedField[]): Condition {
  return hasValues(model, Object.fromEntries(fields.map(({ name }) => [name, row[name]])));
}
