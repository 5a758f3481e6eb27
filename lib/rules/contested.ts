import { callsOf, type Plan, type Enforcement } from '../executor/plan.js';
import type { Storage } from '../model/storage/storage.js';
import type { Condition } from '../query/condition.js';
import { areFields } from '../query/fields.js';
import { hasKeyBesideLink } from '../query/link-foreign-keys.js';
import { match, type Table } from '../query/match.js';
import type { Query } from '../query/query.js';
import { isUnique, type LinkedRow, type Verb, type WrittenRecord } from '../query/write.js';
import { RuleSet } from './rule-set.js';
import { enforcedBy } from './ruled-executor.js';

/**
 * Whether Prisma cannot run the writes of a plan as they are, so that the executor of rules runs them row by row, even without any rule.
 *
 * Prisma evaluates a condition in addition to a key only when it reads the row, and another transaction may change the row before it is written.
 * Prisma rejects a record with both foreign key fields and links.
 */
export function needsDecomposition(plan: Plan): boolean {
  return callsOf(plan).some(({ query }) => match(CONTESTED, query));
}

/** Returns the enforcement of a plan whose writes are executed row by row, without rules. */
export function decomposed(plan: Plan, storage: Storage, maxRows: number): Enforcement {
  return enforcedBy({ rules: new RuleSet(storage, null), maxRows }, { plan, isWrite: true });
}

const no = (): boolean => false;

const CONTESTED: Table<Query, [], boolean> = {
  'find-unique': no,
  'find': no,
  'count': no,
  'aggregate': no,
  'group-by': no,
  'create': ({ record }) => inRecord(record),
  'create-many': no,
  'update': ({ record, where }) => inRecord(record) || (record.relations.length > 0 && isMore(where.more)),
  'update-many': ({ limit }) => limit !== undefined,
  'upsert': ({ where, create, update }) => isMore(where.more) || inRecord(create) || inRecord(update),
  'delete': ({ where, selection }) => isMore(where.more) && !areFields(selection),
  'delete-many': ({ limit }) => limit !== undefined,
};

function inRecord(record: WrittenRecord): boolean {
  if (hasKeyBesideLink(record)) return true;
  return record.relations.some(({ verbs }) => verbs.some((verb) => match(CONTESTED_VERBS, verb)));
}

const isMore = ({ kind }: Condition): boolean => kind !== 'always';
const isConditional = (row: LinkedRow): boolean => isMore(isUnique(row) ? row.more : row);

const CONTESTED_VERBS: Table<Verb, [], boolean> = {
  'create-related': ({ record }) => inRecord(record),
  'create-many-related': () => false,
  'connect': ({ row }) => isConditional(row),
  'connect-or-create': ({ row, record }) => isConditional(row) || inRecord(record),
  'disconnect': ({ row }) => isConditional(row),
  'set': ({ rows }) => rows.some(isConditional),
  'update-related': ({ row, record }) => isConditional(row) || inRecord(record),
  'update-many-related': () => true,
  'upsert-related': ({ row, create, update }) => isConditional(row) || inRecord(create) || inRecord(update),
  'delete-related': ({ row }) => isConditional(row),
  'delete-many-related': () => true,
};
