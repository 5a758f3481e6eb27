import { callsOf, type Plan, type Enforcement } from '../executor/plan.js';
import type { Storage } from '../model/storage/storage.js';
import type { Condition } from '../query/condition.js';
import { areFields } from '../query/fields.js';
import { match, type Table } from '../query/match.js';
import type { Query } from '../query/query.js';
import { isUnique, type LinkedRow, type Verb, type WrittenRecord } from '../query/write.js';
import { RuleSet } from './rule-set.js';
import { enforcedBy } from './ruled-executor.js';

/**
 * Whether a plan has a condition, in addition to a key, that Prisma evaluates only when it reads the row. The statement that writes the row does not
 * contain it. Another transaction may change the row in between. The executor of rules enforces such conditions when it writes, even without any
 * rule.
 */
export function hasConditionLostOnWrite(plan: Plan): boolean {
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

function inRecord({ relations }: WrittenRecord): boolean {
  return relations.some(({ verbs }) => verbs.some((verb) => match(CONTESTED_VERBS, verb)));
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
