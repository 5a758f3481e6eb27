import type { AtMost } from '../data-client/plan.js';
import { withKeysAlone } from '../data-client/run-apart.js';
import type { UniqueCondition } from '../query/condition.js';
import type { StoredModel } from '../model/storage/storage.js';
import { selectFields } from '../query/fields.js';
import { hasRowKey, rowKey } from '../query/key.js';
import { isWrite, type Query } from '../query/query.js';
import { findMany, type FindUnique, type Read } from '../query/read.js';
import { type AnsweredWrite, type Create, isAnswered, type Update, type Upsert, type Write, type WrittenRelation } from '../query/write.js';
import { decline } from './declined.js';
import { flatQuery, isFlat, isNative, linkedInTurn, requireUsual, unchanged } from './flat-write.js';
import type { CompiledRead, PlanCompiler } from './plan-compiler.js';

/** What queries are compiled with. */
export interface Compiling {
  readonly compiler: PlanCompiler;
  /** Whether the client is bound to a caller. */
  readonly isBound: boolean;
  /** The most rows that a read may find, and again in its lists: at most one more is loaded. Undefined without a limit. */
  readonly most: AtMost | undefined;
}

/** @throws Declined for what Prisma answers */
export function compileOne(read: Read, { compiler, most }: Omit<Compiling, 'isBound'>): CompiledRead {
  const compiled = compiler.compile({ kind: 'call', call: { query: read, ...(most && { expect: most }) } });
  return 'reason' in compiled ? decline(compiled.reason) : compiled;
}

/**
 * Requires that a query is one, or several, that a transaction takes, before it is begun. Links of a row that is yet to be created are not looked at.
 *
 * @throws Declined
 */
export function requireCompiled(query: Query, made: Compiling): void {
  requireReadable(query, made);
  if (!isWrite(query) || unchanged(query)) return;
  requireUsual(query);
  const parts = partsOf(query, made.isBound);
  for (const part of parts) requireCompiled(part, made);
  if (parts.length > 0) return;
  const written = isAnswered(query) && !isFlat(query, made.isBound) ? bareOf(query) : query;
  made.compiler.compileWrite(flatQuery(written, made.isBound), undefined);
}

/** The writes that one is made of; empty for one that is a statement by itself. */
function partsOf(query: Write, isBound: boolean): readonly Write[] {
  if (query.kind === 'upsert') return isNative(query) ? [] : [createOf(query), updateOf(query, query.where)];
  const linking = linkedInTurn(query, isBound);
  if (linking.length === 0 || (query.kind !== 'create' && query.kind !== 'update')) return [];
  const links = query.kind === 'update' ? linking.map((one) => linkOf(query, query.where, one)) : [];
  return [withoutLinks(query, linking), ...links];
}

/**
 * Requires that what a query reads can be read.
 *
 * @throws Declined
 */
export function requireReadable(query: Query, made: Compiling): void {
  if (!isWrite(query)) compileOne(query, made);
  else if (isAnswered(query)) compileOne(findMany({ model: query.model, selection: query.selection }), made);
}

/** The same write, of which only keys are answered. */
export function bareOf<Asked extends AnsweredWrite>(write: Asked): Asked {
  requireRowKey(write.model);
  return withKeysAlone(write);
}

/** The read of the key of the row that an upsert finds. */
export function lookOf({ model, where }: Upsert): FindUnique {
  requireRowKey(model);
  return { kind: 'find-unique', model, where, selection: selectFields(model, rowKey(model).fields), isRequired: false };
}

function requireRowKey(model: StoredModel): void {
  if (!hasRowKey(model)) decline(`the rows of ${model.model} have no key`);
}

/** What an upsert does where it finds no row. */
export function createOf({ model, create, selection }: Upsert): Create {
  return { kind: 'create', model, record: create, selection };
}

/** What an upsert does with the row that it finds. */
export function updateOf({ model, update, selection }: Upsert, where: UniqueCondition): Update {
  return { kind: 'update', model, where, record: update, selection };
}

/** What is written of the row itself. */
export function withoutLinks<Asked extends Create | Update>(write: Asked, linking: readonly WrittenRelation[]): Asked {
  const { record } = write;
  const relations = record.relations.filter((one) => !linking.includes(one));
  return bareOf({ ...write, record: { ...record, relations } });
}

/** What is written of one relation of a row. */
export function linkOf({ model, record, selection }: Create | Update, where: UniqueCondition, relation: WrittenRelation): Update {
  const linked = { ...record, action: 'update', fields: [], relations: [relation] } as const;
  return bareOf({ kind: 'update', model, where, record: linked, selection });
}
