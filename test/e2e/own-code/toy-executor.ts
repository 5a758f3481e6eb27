import type { Executor } from '../../../lib/executor/executor.js';
import { type Condition, uniqueAsCondition } from '../../../lib/query/condition.js';
import { match, type Table } from '../../../lib/query/match.js';
import type { Order } from '../../../lib/query/order.js';
import type { Query } from '../../../lib/query/query.js';
import type { Count, Find } from '../../../lib/query/read.js';
import type { ResultOf, Row } from '../../../lib/query/result.js';
import type { Selection } from '../../../lib/query/selection.js';

type Tables = Readonly<Record<string, readonly Row[]>>;

/** Executes reads of fields in memory, from the nodes of queries, and records the queries. */
export class ToyExecutor implements Executor {
  readonly queries: Query[] = [];

  /** @param tables rows by Prisma's name of their model */
  constructor(private readonly tables: Tables) {}

  run<Kind extends Query>(query: Kind): Promise<ResultOf<Kind>> {
    this.queries.push(query);
    // The result type of each kind is that of its query.
    return Promise.resolve(match<Query, [Tables], unknown>(ANSWERS, query, this.tables) as ResultOf<Kind>);
  }
}

const unknown = ({ kind }: { readonly kind: string }): never => {
  throw new Error(`The toy has no '${kind}'.`);
};

const ANSWERS: Table<Query, [Tables], unknown> = {
  'find-unique': (query, tables) => {
    const [row] = rowsOf({ ...query, where: uniqueAsCondition(query.where) }, tables);
    return row ? pick(row, query.selection) : null;
  },
  'find': (query, tables) => {
    const rows = rowsOf(query, tables).sort((one, other) => compare(query.order, one, other));
    const { skip = 0, take = Infinity } = query.page;
    const page = rows.slice(skip, skip + take).map((row) => pick(row, query.selection));
    return query.rows === 'many' ? page : (page[0] ?? null);
  },
  'count': (query, tables) => rowsOf(query, tables).length,
  'aggregate': unknown,
  'group-by': unknown,
  'create': unknown,
  'create-many': unknown,
  'update': unknown,
  'update-many': unknown,
  'upsert': unknown,
  'delete': unknown,
  'delete-many': unknown,
};

function rowsOf({ model, where }: Pick<Find | Count, 'model' | 'where'>, tables: Tables): Row[] {
  return (tables[model.model] ?? []).filter((row) => match(CONDITIONS, where, row));
}

function pick(row: Row, { members }: Selection): Row {
  return Object.fromEntries(
    members.map((member) => (member.kind === 'field' ? [member.field.name, row[member.field.name]] : unknown(member))),
  );
}

const CONDITIONS: Table<Condition, [Row], boolean> = {
  always: () => true,
  never: () => false,
  and: ({ conditions }, row) => conditions.every((one) => match(CONDITIONS, one, row)),
  or: ({ conditions }, row) => conditions.some((one) => match(CONDITIONS, one, row)),
  not: ({ condition }, row) => !match(CONDITIONS, condition, row),
  key: ({ key, values }, row) => key.fields.every((name, index) => row[name] === values[index]),
  compare: ({ operator, operand, field }, row) => {
    const value = row[field.name];
    if (operator === 'equals') return value === operand;
    return operator === 'contains' ? String(value).includes(String(operand)) : unknown({ kind: operator });
  },
  list: unknown,
  json: unknown,
  some: unknown,
  every: unknown,
  none: unknown,
  is: unknown,
  isNot: unknown,
};

function compare(order: Order, one: Row, other: Row): number {
  for (const term of order) {
    if (term.kind !== 'field-term') return unknown(term);
    const [left, right] = [one[term.field.name] as number, other[term.field.name] as number];
    if (left !== right) return left < right === (term.direction === 'asc') ? -1 : 1;
  }
  return 0;
}
