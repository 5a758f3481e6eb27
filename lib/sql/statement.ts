import { decline } from './declined.js';

/** What is bound to a placeholder: texts, which PostgreSQL reads as the type that it infers, flags, and lists of them. */
export type Parameter = string | boolean | null | readonly (string | boolean | null)[];

/** One statement while it is written: the values of its placeholders, and names that are used once. */
export class Statement {
  readonly values: Parameter[] = [];
  #aliases = 0;
  #hasSearch = false;

  /** @param schema of tables and enums that have no `@@schema` */
  constructor(readonly schema: string) {}

  /** The placeholder of a value. There is no other way for a value into a statement. */
  bind(value: Parameter): string {
    return `$${this.values.push(value)}`;
  }

  alias(): string {
    return `t${this.#aliases++}`;
  }

  /** @throws Declined the second time: Prisma puts the searches of several fields together */
  searchOnce(): void {
    if (this.#hasSearch) decline('several searches');
    this.#hasSearch = true;
  }

  /** A table or an enum, with its schema. */
  qualified(name: string, schema = this.schema): string {
    return `${quote(schema)}.${quote(name)}`;
  }
}

/** An identifier. They come from the schema alone, and may hold anything there. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
