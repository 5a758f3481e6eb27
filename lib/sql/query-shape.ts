import { ALWAYS, type Comparison, type Condition, type JsonComparison, type UniqueCondition } from '../query/condition.js';
import type { Hop, Order } from '../query/order.js';
import type { Read } from '../query/read.js';
import type { Member, Page, Selection } from '../query/selection.js';
import { returnsResult } from '../query/write.js';
import type { Assignment } from './assignments.js';
import type { FlatWrite } from './flat-write.js';
import { jsonNullOf } from './parameter.js';

/**
 * The shape of a query: everything of it except its values. Queries of one model with the same shape have the same statement.
 *
 * Names in a Prisma schema consist of letters, digits and underscores, so other characters separate the parts of a shape unambiguously.
 */
export class QueryShape {
  text = '';
  /** The values of the query, in the order of their slots. */
  readonly values: unknown[] = [];
  /** The slot of the first value of each node. */
  readonly slots = new Map<object, number>();

  /** @param limits the limit of rows */
  read(read: Read, limits: string): this {
    this.text += `;${read.model.model}:${read.kind}/${limits}`;
    if (read.kind === 'find-unique') this.#unique(read.where);
    else this.#where(read.where).#order(read.order).#page(read.page);
    if (read.kind === 'find') this.text += read.rows;
    // Whether the row must exist changes the reader of the result, which is cached with the statement.
    if ('isRequired' in read && read.isRequired) this.text += '!';
    if ('selection' in read) this.#selection(read.selection);
    else if (read.kind === 'count')
      this.text += read.counted?.map((counted) => `#${typeof counted === 'string' ? counted : counted.name}`).join('') ?? '';
    return this;
  }

  /** @param limits the limits of rows and bytes, and whether the statement also returns whether the row of an upsert existed */
  write({ query, records, referred, seen = [], isLinking, children, links }: FlatWrite, limits: string): this {
    this.text += `;${query.model.model}:${query.kind}/${limits}`;
    if (query.kind === 'update-many' || query.kind === 'delete-many') this.#where(query.where);
    else if ('where' in query) this.#unique(query.where);
    if ('skipDuplicates' in query && query.skipDuplicates) this.text += '~';
    if (isLinking) this.text += '&';
    this.#records(records);
    this.#nested(children, links);
    this.#referred(';', referred);
    this.#referred('!', seen);
    if (returnsResult(query)) this.#selection(query.selection);
    return this;
  }

  #nested(children: FlatWrite['children'] = [], links: FlatWrite['links'] = []): void {
    for (const child of children) {
      this.text += `;>${child.model.model}`;
      this.#records(child.records);
    }
    for (const { relation, kind, rows, changed } of links) {
      this.text += `;${kind} ${relation.name}`;
      for (const row of rows) {
        this.text += '[';
        this.#unique(row);
      }
      this.#records([changed]);
    }
  }

  #referred(sign: string, rows: FlatWrite['referred']): void {
    for (const { model, condition } of rows) {
      this.text += `${sign}${model.model}`;
      this.#where(condition);
    }
  }

  #records(records: FlatWrite['records']): void {
    for (const record of records) {
      this.text += '(';
      for (const assignment of record) this.#assignment(assignment);
    }
  }

  #assignment(assignment: Assignment): void {
    const { field, operation, value } = assignment;
    this.text += `,${field.name} ${operation}`;
    if (operation === 'link') this.text += ` ${value.name}`;
    else if (value === null) this.text += '0';
    else this.#values(assignment, [value]);
  }

  /** Adds the values of a node. A node that occurs several times has one set of slots. */
  #values(node: object, values: readonly unknown[]): void {
    const known = this.slots.get(node);
    this.text += known === undefined ? `?${values.length}` : `=${known}`;
    if (known !== undefined) return;
    this.slots.set(node, this.values.length);
    this.values.push(...values);
  }

  #unique({ keys, more }: UniqueCondition): void {
    for (const key of keys) this.#condition(key);
    this.#where(more);
  }

  #where(condition: Condition): this {
    if (condition.kind !== 'always') {
      this.text += '|';
      this.#condition(condition);
    }
    return this;
  }

  #condition(condition: Condition): void {
    if ('conditions' in condition) {
      this.text += `${condition.kind}(`;
      for (const one of condition.conditions) this.#condition(one);
      this.text += ')';
    } else if ('condition' in condition) {
      this.text += condition.kind === 'not' ? '~' : `${condition.kind}.${condition.relation.name}`;
      if ('readable' in condition) this.#where(condition.readable);
      this.text += '(';
      this.#condition(condition.condition);
      this.text += ')';
    } else this.#leaf(condition);
  }

  #leaf(condition: Leaf): void {
    switch (condition.kind) {
      case 'compare':
        this.#comparison(condition);
        break;
      case 'list':
        this.text += `,${condition.field.name} []${condition.operator}`;
        if (condition.operator === 'isEmpty') this.text += String(condition.operand === true);
        else if (condition.operand === null && condition.operator === 'equals') this.text += '0';
        else this.#values(condition, [condition.operand]);
        break;
      case 'json':
        this.#json(condition);
        break;
      case 'key':
        this.text += `,${condition.key.fields.join('+')}=`;
        this.#values(condition, condition.values);
        break;
      case 'always':
      case 'never':
        this.text += `,${condition.kind}`;
    }
  }

  #comparison(condition: Comparison): void {
    const { field, operator, operand, isInsensitive, isNegated, aggregate = '' } = condition;
    this.text += `,${aggregate}${isNegated ? '!' : ''}${isInsensitive ? '^' : ''}${field.name} ${operator}`;
    this.#operand(condition, operand);
  }

  #operand(node: object, operand: unknown): void {
    if (operand === null) this.text += '0';
    else if (Array.isArray(operand) && operand.length === 0) this.text += '[]';
    else {
      // SQL compiles `in` with a list, and declines it with a reference to a list field.
      if (Array.isArray(operand)) this.text += '[';
      this.#values(node, [operand]);
    }
  }

  #json(condition: JsonComparison): void {
    const { field, operator, operand, path, isInsensitive } = condition;
    this.text += `,${isInsensitive ? '^' : ''}${field.name} {}${operator}`;
    this.text += jsonNullOf(operand) ?? (operand === null ? 'null' : typeof operand);
    this.#values(condition, path === undefined ? [operand] : [path, operand]);
  }

  #order(order: Order): this {
    for (const term of order) {
      this.text += `/${term.kind} ${term.direction} `;
      if (term.kind === 'aggregate-term') continue;
      for (const hop of term.path) this.#hop(hop);
      if (term.kind === 'field-term') this.text += `:${term.nulls ?? ''} ${term.field.name}`;
      else if (term.kind === 'count-term') this.#hop(term.counted);
    }
    return this;
  }

  #hop({ relation, readable = ALWAYS }: Hop): void {
    this.text += `.${relation.name}`;
    this.#where(readable);
  }

  #page(page: Page): void {
    const { cursor, cursorRow = ALWAYS, take, skip, distinct } = page;
    this.text += `${take === undefined ? '' : `/take ${take}`}${distinct === undefined ? '' : `/distinct ${distinct.map(({ name }) => name).join('+')}`}`;
    if (skip !== undefined && skip !== 0) {
      this.text += '/skip';
      this.#values(page, [skip]);
    }
    for (const key of cursor ?? []) {
      this.text += '/cursor';
      this.#condition(key);
      this.#where(cursorRow);
    }
  }

  #selection(selection: Selection): void {
    const known = PLAIN.get(selection);
    if (known !== undefined) {
      this.text += known;
      return;
    }
    const { length: before } = this.text;
    const { length: slots } = this.values;
    this.text += '{';
    for (const member of selection.members) this.#member(member);
    this.text += '}';
    if (this.values.length === slots) PLAIN.set(selection, this.text.slice(before));
  }

  #member(member: Member): void {
    switch (member.kind) {
      case 'field':
        this.text += `,${member.field.name}`;
        break;
      case 'computed':
        this.text += `,(${member.name})`;
        break;
      case 'one':
        this.text += `,${member.relation.name}`;
        this.#where(member.where).#selection(member.selection);
        break;
      case 'many':
        this.text += `,${member.relation.name}*`;
        this.#where(member.where).#order(member.order).#page(member.page);
        this.#selection(member.selection);
        break;
      case 'counts':
        this.text += ',#(';
        for (const { relation, where } of member.counts) {
          this.text += `,${relation.name}`;
          this.#where(where);
        }
        this.text += ')';
    }
  }
}

type Leaf = Exclude<Condition, { readonly condition: Condition } | { readonly conditions: readonly Condition[] }>;

/** The shapes of selections without values, which many requests share. */
const PLAIN = new WeakMap<Selection, string>();
