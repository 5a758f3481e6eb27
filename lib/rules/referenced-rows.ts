import { encodeFieldValues } from '../executor/loading/count-list.js';
import { ApiError } from '../errors/api-error.js';
import type { StoredForeignKey, StoredModel, StoredRelation } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { givenColumn } from '../query/accesses.js';
import { and, type Condition } from '../query/condition.js';
import { isAmong } from '../query/fields.js';
import { countRows } from '../query/read.js';
import type { Row } from '../query/result.js';
import { setValues, type WrittenField, type WrittenRecord } from '../query/write.js';
import type { RuleSet } from './rule-set.js';
import { keyChunks, offered, type Session } from './rows.js';

/**
 * The rows that written rows reference by values of the caller. A caller may link only to rows that it may read, through any relation. These rows are
 * checked after the write, because it may have created them itself. If all rows of a model may be read, the constraint of the database is enough.
 */
export class ReferencedRows {
  private readonly groups = new Map<string, Referred>();

  constructor(private readonly session: ReferencingSession) {}

  /**
   * Adds the references of written rows.
   *
   * @param given the fields that the caller sets
   * @param rows the rows after the write, with the keys of {@link givenKeys}
   */
  add(model: StoredModel, given: readonly WrittenField[], rows: readonly Row[]): void {
    for (const { target, key, field } of givenKeys(this.session.rules, model, given)) {
      const name = `${target.model} ${key.references.join(' ')}`;
      const group = this.groups.get(name) ?? { target, references: key.references, keys: new Map<string, ReferredKey>() };
      this.groups.set(name, group);
      for (const row of rows) {
        const values = Object.fromEntries(key.references.map((reference, index) => [reference, row[key.fields[index] ?? '']]));
        if (key.references.some((reference) => values[reference] === null || values[reference] === undefined)) continue;
        group.keys.set(encodeFieldValues(values, key.references), { values, field });
      }
    }
  }

  /**
   * Checks the referenced rows.
   *
   * @throws ApiError if a referenced row does not exist, or may not be read
   */
  async check(): Promise<void> {
    const { executor, rules, foundRows } = this.session;
    for (const { target, references, keys } of this.groups.values()) {
      const seen = foundRows.texts(target, references);
      const unseen = [...keys].filter(([text]) => !seen.has(text)).map(([, key]) => key);
      for (const some of keyChunks(unseen)) {
        const among = isAmong(
          target,
          references,
          some.map(({ values }) => values),
        );
        const found = await executor.run(countRows({ model: target, where: and(among, rules.of(target, 'read')) }));
        if (found !== some.length) throw missingReference(some);
      }
    }
  }
}

export type ReferencingSession = Pick<Session, 'executor' | 'foundRows'> & { readonly rules: ReadableRows };

/** Access to the read rules, which decide to which rows links are allowed. */
export type ReadableRows = Pick<RuleSet, 'storage' | 'isOpen'> & { readonly of: (model: StoredModel, name: 'read') => Condition };

interface Referred {
  readonly target: StoredModel;
  readonly references: readonly string[];
  /** Referenced keys, by the encoded text of their values. */
  readonly keys: Map<string, ReferredKey>;
}

interface ReferredKey {
  readonly values: Row;
  /** The field of the caller that sets the key, or a part of it. */
  readonly field: string;
}

/** A foreign key that a caller sets, or one column of it, to a model whose rows may not all be read. */
export interface GivenKey {
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  readonly key: StoredForeignKey;
  readonly field: string;
}

/**
 * Returns the foreign keys among the fields that a caller sets. A key that the data client exposes only in part is left out, because it cannot be
 * checked.
 */
export function givenKeys(rules: ReadableRows, model: StoredModel, given: readonly WrittenField[]): readonly GivenKey[] {
  return [...model.relations.values()].flatMap((relation) => {
    const { foreignKey: key, target: name } = relation;
    const field = key && givenColumn(key, given);
    if (!key || field === undefined) return [];
    const target = storedModel(rules.storage, name);
    const isWhole = offered(model, key.fields).length === key.fields.length && offered(target, key.references).length === key.fields.length;
    return isWhole && !rules.isOpen(target) ? [{ relation, target, key, field }] : [];
  });
}

/** Returns all fields of the foreign keys that a caller sets, or sets a part of. */
export function givenKeyFields(rules: RuleSet, model: StoredModel, given: readonly WrittenField[]): readonly string[] {
  return givenKeys(rules, model, given).flatMap(({ key }) => key.fields);
}

/** Returns the values of a record if they contain these foreign keys completely. Returns undefined if the row itself must be read. */
export function wholeValues(rules: RuleSet, record: WrittenRecord): Row | undefined {
  const values = setValues(record);
  return givenKeyFields(rules, record.model, record.fields).every((name) => Object.hasOwn(values, name)) ? values : undefined;
}

function missingReference([key]: readonly ReferredKey[]): ApiError {
  return new ApiError('not-found', `There is no record that '${key?.field ?? ''}' refers to.`);
}
