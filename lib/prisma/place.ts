import type { ErrorCode } from '../errors/error-catalogue.js';
import type { DatabaseProvider } from '../model/schema/resource-schema.js';

/** The position of a value in arguments. Errors name it, and it counts the members and conditions that are read. */
export interface Place {
  /** The position in the syntax of a client: `where.OR.0.author.email`. */
  readonly text: string;
  /** The position as `path` of an error; undefined for the argument itself. */
  readonly path?: string | undefined;
  /**
   * Returns the position of a member.
   *
   * @param means `rows` if the member is a condition on related rows. An empty object then means that a related row exists
   */
  readonly member: (name: string, means?: 'rows') => Place;
  readonly element: (index: number) => Place;
  /** Called for every object before its members are read. */
  readonly enter: (members: object) => void;
  /** Called before conditions and elements of lists are read, with their number. */
  readonly spendTerms: (count: number) => void;
  /**
   * Rejects the value.
   *
   * @param sentence the error as a predicate of the position, e.g. `must be an object.`
   */
  readonly refuse: (sentence: string, code?: ErrorCode) => never;
  /** Rejects a key that has no meaning here. */
  readonly refuseUnknown: (known: Iterable<string>) => never;
  /** Returns the result of a reader; undefined if it rejects the value. What it has counted remains counted. */
  readonly attempt: <Made>(read: () => Made) => Made | undefined;
  /** The database of the query. Databases differ in their operators. */
  readonly database: { readonly provider: DatabaseProvider; readonly orm: 'prisma' | 'zenstack' };
}
