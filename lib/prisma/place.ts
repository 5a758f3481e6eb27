import type { ErrorCode } from '../errors/error-catalogue.js';
import type { DatabaseProvider } from '../model/schema/resource-schema.js';

/** Where a value stands in arguments: the place that a refusal names, and what counts what is read. */
export interface Place {
  /** As a client would write it: `where.OR.0.author.email`. */
  readonly text: string;
  /** The same as `path` of an error; undefined for the argument itself. */
  readonly path?: string | undefined;
  /** @param means `rows`: behind it stands a condition on related rows, of which an empty object asks whether there are any */
  readonly member: (name: string, means?: 'rows') => Place;
  readonly element: (index: number) => Place;
  /** Called for every object before it is walked into. */
  readonly enter: (members: object) => void;
  /** Called before conditions and elements of lists are walked. */
  readonly spendTerms: (count: number) => void;
  /** @param sentence what is wrong, as a predicate of the place, e.g. `must be an object.` */
  readonly refuse: (sentence: string, code?: ErrorCode) => never;
  /** A key that means nothing here. */
  readonly refuseUnknown: (known: Iterable<string>) => never;
  /** What a reader makes of a value that may be meant otherwise; undefined where it refuses it. What it has counted stays counted. */
  readonly attempt: <Made>(read: () => Made) => Made | undefined;
  /** Where the query will run: databases differ in their operators. */
  readonly database: { readonly provider: DatabaseProvider; readonly orm: 'prisma' | 'zenstack' };
}
