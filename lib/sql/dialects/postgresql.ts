import type { CountLayout, RowLayout, Owners } from '../row-layout.js';
import type {
  Call,
  Column,
  Expression,
  GroupedCount,
  Join,
  Operation,
  RelatedSelect,
  RowCount,
  Select,
  Slot,
  Sort,
  TableSource,
} from '../tree.js';
import { jsonList, SENT } from './sent-row.js';

/** The layout of the result of a statement: rows, or their number. */
export type Answering = RowLayout | { readonly kind: 'count'; readonly tag: number; readonly count: RowCount };

/** The text of a statement, and the slot of each of its placeholders, in their order. */
export interface Printed {
  readonly text: string;
  readonly slots: readonly number[];
}

/**
 * Prints the tree of a read as a PostgreSQL statement. Each row of its result has one column: a JSON list that begins with a tag.
 *
 * @param schema the schema of the tables and enums that have no `@@schema`
 */
export function printPostgresql(answers: readonly Answering[], schema: string): Printed {
  const printer = new Printer(schema);
  for (const answer of answers) printer.answer(answer);
  return { text: printer.text, slots: printer.slots };
}

/** Returns a quoted identifier. Identifiers come only from the schema, where they may contain any character. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

export class Printer {
  readonly slots: number[] = [];
  readonly #queries: string[] = [];
  readonly #results: string[] = [];

  constructor(private readonly schema: string) {}

  get text(): string {
    const queries = this.#queries.length > 0 ? `WITH ${this.#queries.join(', ')} ` : '';
    return queries + this.#results.join(' UNION ALL ');
  }

  answer(answer: Answering): void {
    if (answer.kind === 'rows') {
      this.#rows(answer);
      return;
    }
    const { tag, count } = answer;
    const { select, columns } = count;
    const named = columns.flatMap((column, index) => (column ? [`${this.expression(column)} AS "c${index}"`] : []));
    const counts = columns.map((column, index) => `count(${column ? `s."c${index}"` : '*'})`);
    const rows = `SELECT ${named.join(', ') || '1'} ${this.#tail(select)}`;
    this.#results.push(`SELECT ${jsonList([String(tag), ...counts])}::text AS "r" FROM (${rows}) AS s`);
  }

  /** Prints rows. If other rows belong to them, they become a `WITH` query that numbers them. */
  #rows(laid: RowLayout): void {
    const { tag, sent, parts, owners, guard } = laid;
    if (guard !== undefined) this.#guard(guard, laid.select);
    const found = this.#found(laid);
    const isNamed = parts.length > 0;
    if (isNamed) this.#queries.push(`q${tag} AS MATERIALIZED (SELECT row_number() OVER () AS "i", s.* FROM (${found}) AS s)`);
    const values = sent.map(([column, form]) => SENT[form](`s."c${column}"`));
    const row = jsonList([String(tag), ...values, ...(owners ? ['s."p"'] : [])]);
    this.#results.push(`SELECT ${row}::text AS "r" FROM ${isNamed ? `q${tag}` : `(${found})`} AS s`);
    for (const part of parts) {
      if (part.kind === 'rows') this.#rows(part);
      else this.#counts(part);
    }
  }

  /** Prints the count of the rows that `distinct` would sort. It stops one row after the limit. */
  #guard(tag: number, { maxDistinctRows = 0, order: _, distinct: __, limit: ___, offset: ____, ...select }: Select): void {
    const rows = `SELECT 1 ${this.#tail({ ...select, order: [], limit: maxDistinctRows + 1 })}`;
    this.#queries.push(`q${tag} AS MATERIALIZED (SELECT count(*) AS "n" FROM (${rows}) AS s)`);
    this.#results.push(`SELECT json_build_array(${tag}, s."n")::text AS "r" FROM q${tag} AS s`);
  }

  #counts({ tag, select, owners }: CountLayout): void {
    const counts = `SELECT p."i", count(*) AS "n" ${this.#ownedBy(`q${owners.tag} AS p`, owners, select)} GROUP BY p."i"`;
    this.#results.push(`SELECT json_build_array(${tag}, json_agg(json_build_array(s."i", s."n")))::text AS "r" FROM (${counts}) AS s`);
  }

  #found(laid: RowLayout): string {
    const { owners, columns, select } = laid;
    const selected = columns.map((column, index) => `${this.expression(column)} AS "c${index}"`).join(', ') || 'NULL';
    if (owners) return owners.isSharedByOwners ? this.#shared(owners, select, selected) : this.#list(owners, select, selected);
    return select.distinct ? this.#distinct(laid, select.distinct, selected) : `SELECT ${selected} ${this.#tail(select)}`;
  }

  /** Prints rows of a to-one relation once each, with the numbers of all owners that reference the row. */
  #shared(owners: Owners, select: Select, selected: string): string {
    const keys = owners.pairs.map(({ owner }) => `o."c${owner}"`).join(', ');
    const grouped = `(SELECT ${keys}, json_agg(o."i") AS "i" FROM q${owners.tag} AS o GROUP BY ${keys}) AS p`;
    return `SELECT p."i" AS "p", ${selected} ${this.#ownedBy(grouped, owners, select)}`;
  }

  /**
   * Prints the rows of a to-many relation. A page of each owner's rows is a lateral join, so that PostgreSQL reads no more than the page.
   *
   * Whole lists are a plain join, for which PostgreSQL chooses the plan, because foreign keys have no index unless the schema declares one.
   */
  #list(owners: Owners, select: Select, selected: string): string {
    const { maxRows } = owners;
    const bound = maxRows === undefined ? '' : ` LIMIT ${maxRows + 1}`;
    const p = `q${owners.tag} AS p`;
    const isWhole = !select.offset && (select.limit === undefined || (maxRows !== undefined && select.limit > maxRows));
    if (isWhole) return `SELECT p."i" AS "p", ${selected} ${this.#ownedBy(p, owners, select)}${this.#order(select.order)}${bound}`;
    const where = [...this.#ofOwner(owners), ...this.#conditions(select)];
    const own = `SELECT ${selected} FROM ${this.#from(select)} WHERE ${where.join(' AND ')}${this.#end(select)}`;
    return `SELECT p."i" AS "p", l.* FROM ${p} CROSS JOIN LATERAL (${own}) AS l${bound}`;
  }

  #ownedBy(owners: string, { pairs }: Pick<Owners, 'pairs'>, select: Select): string {
    const where = [...this.#ofOwner({ pairs }), ...this.#conditions(select)];
    return `FROM ${owners} CROSS JOIN ${this.#from(select)} WHERE ${where.join(' AND ')}`;
  }

  #ofOwner({ pairs }: Pick<Owners, 'pairs'>): readonly string[] {
    return pairs.map(({ own, owner }) => `${this.expression(own)} = p."c${owner}"`);
  }

  /**
   * Prints the first row of each combination of values. `LIMIT` and `OFFSET` apply to these rows. Without an order, the first row is the one that is
   * stored first.
   */
  #distinct({ guard, select }: RowLayout, distinct: readonly Column[], selected: string): string {
    const order = select.order.length > 0 ? this.#order(select.order) : ` ORDER BY ${select.from.alias}.ctid`;
    const keys = distinct.map((column, index) => `${this.expression(column)} AS "k${index}"`).join(', ');
    const by = distinct.map((_, index) => `x."k${index}"`).join(', ');
    const whole = { from: select.from, joins: select.joins, where: select.where, order: [] };
    const numbered = `SELECT ${selected}, ${keys}, row_number() OVER (${order.trim()}) AS "o" ${this.#tail(whole)}`;
    const firsts = `SELECT DISTINCT ON (${by}) x.* FROM (${numbered}) AS x ORDER BY ${by}, x."o"`;
    const guarded = guard === undefined ? '' : ` WHERE (SELECT g."n" FROM q${guard} AS g) <= ${String(select.maxDistinctRows)}`;
    return `SELECT y.* FROM (${firsts}) AS y${guarded} ORDER BY y."o"${this.#cut(select)}`;
  }

  #tail(select: Select): string {
    const conditions = this.#conditions(select);
    return `FROM ${this.#from(select)}${conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''}${this.#end(select)}`;
  }

  #conditions({ where }: Select): readonly string[] {
    return where.map((condition) => this.expression(condition));
  }

  #end(select: Select): string {
    return this.#order(select.order) + this.#cut(select);
  }

  #order(order: readonly Sort[]): string {
    return order.length === 0 ? '' : ` ORDER BY ${order.map((sort) => this.#sort(sort)).join(', ')}`;
  }

  #sort({ expression, isDescending, nulls }: Sort): string {
    return `${this.expression(expression)} ${isDescending ? 'DESC' : 'ASC'}${nulls ? ` NULLS ${nulls.toUpperCase()}` : ''}`;
  }

  #cut({ limit, offset }: Select): string {
    return `${limit === undefined ? '' : ` LIMIT ${limit}`}${offset ? ` OFFSET ${this.#slot(offset)}` : ''}`;
  }

  #from({ from, joins }: Select): string {
    return [this.table(from), ...joins.map((join) => this.#join(join))].join(' ');
  }

  #join({ kind, table, joins = [], on }: Join): string {
    const own = table.kind === 'table' ? this.table(table) : this.#groupedCount(table);
    const joined = joins.length > 0 ? `(${[own, ...joins.map((join) => this.#join(join))].join(' ')})` : own;
    return `${kind === 'left' ? 'LEFT JOIN' : 'JOIN'} ${joined} ON ${on.map((one) => this.expression(one)).join(' AND ')}`;
  }

  table(table: TableSource): string {
    return `${this.name(table)} AS ${table.alias}`;
  }

  name({ table, schema }: TableSource): string {
    return this.#qualified(table, schema);
  }

  #qualified(name: string, schema = this.schema): string {
    return `${quote(schema)}.${quote(name)}`;
  }

  #groupedCount({ select, keys, alias }: GroupedCount): string {
    const columns = keys.map((key) => this.expression(key));
    const named = columns.map((column, index) => `${column} AS "k${index}"`).join(', ');
    return `(SELECT ${named}, count(*) AS "n" ${this.#tail(select)} GROUP BY ${columns.join(', ')}) AS ${alias}`;
  }

  expression(expression: Expression): string {
    switch (expression.kind) {
      case 'column':
        return `${expression.alias}.${quote(expression.name)}`;
      case 'slot':
        return this.#slot(expression);
      case 'constant':
        return expression.value ? 'TRUE' : 'FALSE';
      case 'call':
        return CALLS[expression.operation](...expression.operands.map((operand) => this.expression(operand)));
      case 'exists':
        return `EXISTS (SELECT 1 ${this.#tail(expression.select)})`;
      case 'scalar-select':
        return `(SELECT ${this.expression(expression.column)} ${this.#tail(expression.select)})`;
      case 'count-of':
        return this.#countOf(expression.counted);
      case 'new-value':
        return `(SELECT "k${expression.index}" FROM "w")`;
    }
  }

  #countOf({ select, pairs }: RelatedSelect): string {
    const where = [...pairs.map(({ own, owner }): Call => ({ kind: 'call', operation: '=', operands: [own, owner] })), ...select.where];
    return `(SELECT count(*) ${this.#tail({ ...select, where })})`;
  }

  #slot({ index, type }: Slot): string {
    let number = this.slots.indexOf(index) + 1;
    if (number === 0) number = this.slots.push(index);
    const placeholder = `$${number}`;
    if (typeof type !== 'object') return type === undefined ? placeholder : TYPED[type](placeholder);
    const list = type.isList ? '[]' : '';
    return `CAST(${placeholder}::text${list} AS ${this.#qualified(type.name, type.schema)}${list})`;
  }
}

const TYPED: Readonly<Record<Extract<Slot['type'], string>, (placeholder: string) => string>> = {
  'texts': (placeholder) => `${placeholder}::text[]`,
  'json': (placeholder) => `${placeholder}::jsonb`,
  'bytes': (placeholder) => `decode(${placeholder}, 'base64')`,
  'bytes-list': (placeholder) => `ARRAY(SELECT decode(v, 'base64') FROM unnest(${placeholder}::text[]) AS v)`,
};

type Spell = (...operands: readonly string[]) => string;

const infix =
  (sign: string): Spell =>
  (left, right) =>
    `${left} ${sign} ${right}`;
const lowered = (values: string): string => `ARRAY(SELECT LOWER(v) FROM unnest(${values}) AS v)`;

/** The SQL of each operation. `%` and `_` in a text are wildcards, as in Prisma. The planner of REST has escaped them. */
const CALLS: Readonly<Record<Operation, Spell>> = {
  'and': (...conditions) => `(${conditions.join(' AND ')})`,
  'or': (...conditions) => `(${conditions.join(' OR ')})`,
  'not': (condition) => `(NOT ${condition})`,
  'is-null': (value) => `(${value} IS NULL)`,
  'is-not-null': (value) => `(${value} IS NOT NULL)`,
  '=': infix('='),
  // `concat` preserves the trailing blanks of a `char`.
  'spelled': (value, text) => `concat(${value}) COLLATE "C" = ${text}::text`,
  '<>': infix('<>'),
  '<': infix('<'),
  '<=': infix('<='),
  '>': infix('>'),
  '>=': infix('>='),
  'lower': (text) => `LOWER(${text})`,
  'in': (value, values) => `${value} = ANY(${values})`,
  'in-insensitive': (value, values) => `LOWER(${value}) = ANY(${lowered(values)})`,
  'like': (text, pattern) => `${text}::text LIKE ${pattern}`,
  'ilike': infix('ILIKE'),
  'contains-pattern': (text) => `('%' || ${text} || '%')`,
  'startsWith-pattern': (text) => `(${text} || '%')`,
  'endsWith-pattern': (text) => `('%' || ${text})`,
  'search': (text, query) => `(to_tsvector(concat_ws(' ', ${text})) @@ to_tsquery(${query}))`,
  'contains': infix('@>'),
  'overlaps': infix('&&'),
  'is-empty': (list) => `${list} = '{}'`,
  'json': (json) => `${json}::jsonb`,
  'json-text': (json) => `${json}::text`,
  'json-at': (json, path) => `(${json} #> ${path})::jsonb`,
  'json-text-at': (json, path) => `(${json} #>> ${path})`,
  'json-is-null': (json) => `${json}::jsonb = 'null'`,
  'json-first': (json) => `(${json} -> 0)::jsonb`,
  'json-last': (json) => `(${json} -> -1)::jsonb`,
  'json-is-string': (json) => `jsonb_typeof(${json}) = 'string'`,
  'json-is-number': (json) => `jsonb_typeof(${json}) = 'number'`,
  'json-is-array': (json) => `jsonb_typeof(${json}) = 'array'`,
  'or-zero': (value) => `COALESCE(${value}, 0)`,
  '+': infix('+'),
  '-': infix('-'),
  'null': () => 'NULL',
};
