import { encodeFieldValues } from '../executor/count-list.js';
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
 * The rows that written rows refer to by values of the caller's: links are made to rows alone that may be read, by whichever relation. They are
 * looked at after the write, for it may have made them itself. The database's own constraint is enough where all rows of a model may be read.
 */
export class ReferredRows {
  private readonly groups = new Map<string, Referred>();

  constructor(private readonly session: Pick<Session, 'host' | 'known'> & { readonly rules: ReadableRows }) {}

  /**
   * @param given what the caller gives of the rows
   * @param rows as they are now, with the keys of {@link givenKeys}
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

  /** @throws ApiError where a row that is referred to may not be read, or is not there */
  async settle(): Promise<void> {
    const { host, rules, known } = this.session;
    for (const { target, references, keys } of this.groups.values()) {
      const seen = known.texts(target, references);
      const unseen = [...keys].filter(([text]) => !seen.has(text)).map(([, key]) => key);
      for (const some of keyChunks(unseen)) {
        const among = isAmong(
          target,
          references,
          some.map(({ values }) => values),
        );
        const found = await host.run(countRows({ model: target, where: and(among, rules.of(target, 'read')) }));
        if (found !== some.length) throw missingReference(some);
      }
    }
  }
}

/** Which rows of each model links may be made to. */
export type ReadableRows = Pick<RuleSet, 'storage' | 'isOpen'> & { readonly of: (model: StoredModel, name: 'read') => Condition };

interface Referred {
  readonly target: StoredModel;
  readonly references: readonly string[];
  /** By the text of their values. */
  readonly keys: Map<string, ReferredKey>;
}

interface ReferredKey {
  readonly values: Row;
  /** A field of the caller's that it is made of. */
  readonly field: string;
}

/** A foreign key that a caller gives, or one column of it, to rows that may not all be read. */
export interface GivenKey {
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  readonly key: StoredForeignKey;
  readonly field: string;
}

/** The foreign keys among what a caller gives of a row. One of which the data client offers a part alone cannot be looked at. */
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

/** The fields of a row that the keys are made of which a caller gives. */
export function givenKeyFields(rules: RuleSet, model: StoredModel, given: readonly WrittenField[]): readonly string[] {
  return givenKeys(rules, model, given).flatMap(({ key }) => key.fields);
}

/** The same, where they make all of the keys whole: undefined where the row itself has to tell. */
export function wholeValues(rules: RuleSet, record: WrittenRecord): Row | undefined {
  const values = setValues(record);
  return givenKeyFields(rules, record.model, record.fields).every((name) => Object.hasOwn(values, name)) ? values : undefined;
}

function missingReference([key]: readonly ReferredKey[]): ApiError {
  return new ApiError('not-found', `There is no record that '${key?.field ?? ''}' refers to.`);
}
