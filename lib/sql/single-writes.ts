import { withKeysAlone } from '../executor/loading/write-then-read.js';
import type { UniqueCondition } from '../query/condition.js';
import { hasRowKey } from '../query/key.js';
import type { FindUnique } from '../query/read.js';
import type { ReturningWrite, Create, Update, Upsert, Write, WrittenRelation } from '../query/write.js';
import { decline } from './declined.js';
import { isNative, separateLinks } from './flat-write.js';

/** Returns the single writes that a write consists of, in their order. The list is empty for a write that is not split. */
export function singleWritesOf(query: Write, isBound: boolean): readonly Write[] {
  if (query.kind === 'upsert') return isNative(query) ? [] : [createOf(query), updateOf(query, query.where)];
  const linking = separateLinks(query, isBound);
  if (linking.length === 0 || (query.kind !== 'create' && query.kind !== 'update')) return [];
  const links = query.kind === 'update' ? linking.map((one) => linkOf(query, query.where, one)) : [];
  return [withoutLinks(query, linking), ...links];
}

/** Returns the same write with a selection of only the row key. */
export function bareOf<Q extends ReturningWrite>(write: Q): Q {
  return hasRowKey(write.model) ? withKeysAlone(write) : decline(`the rows of ${write.model.model} have no key`);
}

/** Returns the read of the key of the row that an upsert finds. */
export function lookOf(write: Upsert): FindUnique {
  return rowOf(bareOf(write), write.where);
}

/** Returns the read of the selection of a write. */
export function rowOf({ model, selection }: Pick<ReturningWrite, 'model' | 'selection'>, where: UniqueCondition): FindUnique {
  return { kind: 'find-unique', model, where, selection, isRequired: false };
}

/** Returns the create of an upsert that finds no row. */
export function createOf({ model, create, selection }: Upsert): Create {
  return { kind: 'create', model, record: create, selection };
}

/** Returns the update of an upsert that finds a row. */
export function updateOf({ model, update, selection }: Upsert, where: UniqueCondition): Update {
  return { kind: 'update', model, where, record: update, selection };
}

/** Returns the same write without some relations, with a selection of only the row key. */
export function withoutLinks<Q extends Create | Update>(write: Q, linking: readonly WrittenRelation[]): Q {
  const { record } = write;
  const relations = record.relations.filter((one) => !linking.includes(one));
  return bareOf({ ...write, record: { ...record, relations } });
}

/** Returns an update that writes only one relation of a row. */
export function linkOf({ model, record, selection }: Create | Update, where: UniqueCondition, relation: WrittenRelation): Update {
  const linked = { ...record, action: 'update', fields: [], relations: [relation] } as const;
  return bareOf({ kind: 'update', model, where, record: linked, selection });
}
