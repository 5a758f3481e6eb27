import { decline } from './declined.js';

/** A value for a placeholder: a boolean, a text, which PostgreSQL converts to the type that it infers, or a list of them. */
export type Parameter = string | boolean | null | readonly (string | boolean | null)[];

/** One statement under construction: the values of its placeholders, and unique names. */
export class Statement {
  readonly values: Parameter[] = [];
  #aliases = 0;
  #hasSearch = false;

  /** @param schema the schema of tables and enums without `@@schema` */
  constructor(readonly schema: string) {}

  /** The placeholder of a value. Values become part of a statement in no other way. */
  bind(value: Parameter): string {
    return `$${this.values.push(value)}`;
  }

  alias(): string {
    return `t${this.#aliases++}`;
  }

  /** @throws Declined the second time: Prisma combines the full-text searches of several fields */
  searchOnce(): void {
    if (this.#hasSearch) decline('several searches');
    this.#hasSearch = true;
  }

  /** A table or an enum, with its schema. */
  qualified(name: string, schema = this.schema): string {
    return `${quote(schema)}.${quote(name)}`;
  }
}

/** A quoted identifier. Identifiers come from the schema only, where they may contain any character. */
export function quote(identifier: string): string {
  let quoted = QUOTED.get(identifier);
  if (quoted === undefined) {
    quoted = `"${identifier.replaceAll('"', '""')}"`;
    QUOTED.set(identifier, quoted);
  }
  return quoted;
}

/** As many as the schema has identifiers. */
const QUOTED = new Map<string, string>();
