import type { EntityTags, Preconditions } from '../../http/preconditions.js';
import type { StoredModel } from '../../model/storage/storage.js';
import { ALWAYS, and, compare, type Condition, NEVER, not } from '../../query/condition.js';
import type { HashedField } from '../../model/surface/surface.js';
import { hasValues } from '../../query/fields.js';
import type { Row } from '../../query/result.js';

/**
 * Compiles the preconditions of a write into a condition of its statement (CC-03, CC-15, CC-22). An entity tag is compared by its version, which is
 * the same in every representation. If the model has no version, no tag matches.
 *
 * @param acceptsWeak whether `If-Match` accepts tags that a proxy has weakened
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

/** Parses the version of a tag such as `3` or `3.digest`. Returns none for a number that is out of range, because Prisma rejects it. */
function versionOf(tag: string, isBig: boolean): readonly (number | bigint)[] {
  const digits = /^(-?\d{1,19})(?:\..*)?$/.exec(tag)?.[1];
  if (digits === undefined) return [];
  const value = BigInt(digits);
  const bits = isBig ? 64 : 32;
  if (BigInt.asIntN(bits, value) !== value) return [];
  return [isBig ? value : Number(value)];
}

/** Compiles the condition that a row still has the values that were hashed, for the statement that writes it (CC-16). */
export function matchesRowHash(model: StoredModel, row: Row, fields: readonly HashedField[]): Condition {
  return hasValues(model, Object.fromEntries(fields.map(({ name }) => [name, row[name]])));
}
