import type { Reasoned } from './reason.js';

/** A condition on rows: all of them, none, or those that match a Prisma `where`. */
export type Condition = boolean | Where;

/** A Prisma `where` of a model. */
export type Where = Readonly<Record<string, unknown>>;

/**
 * The rows of a model that a caller may reach by one action. Give `true` for all, `false` for none, a Prisma `where` of the model, or a function.
 *
 * A function receives the request of the platform, and returns one of these. It is called at most once per request, after the guards, and only when
 * it is needed. Each of them may have a {@link Reasoned | reason}.
 */
export type Rule<Request = never, Filter = Where> = PlainRule<Request, Filter> | Reasoned<PlainRule<Request, Filter>>;

type PlainRule<Request, Filter> = boolean | Filter | RuleFunction<Request, Filter>;

/** A method signature, so that your application may declare its own request type. */
export type RuleFunction<Request, Filter> = {
  bivarianceHack(request: Request): GivenRule<Filter> | Promise<GivenRule<Filter>>;
}['bivarianceHack'];

type GivenRule<Filter> = boolean | Filter | Reasoned<boolean | Filter>;

/** The rules of one model. An action without a rule uses the model's `'*'`, or else `false`. */
export interface ModelRules<Request = never, Filter = Where> {
  /** Which rows can be read: listed, counted, included, filtered by, connected to. A write requires this of the rows that it names, too. */
  readonly 'read'?: PlainRule<Request, Filter>;
  /** Which rows may be created. The rule is checked on the new row, in the transaction that creates it. */
  readonly 'create'?: Rule<Request, Filter>;
  /** Which rows may be updated. A rule without `using` and `check` applies to the row before and after the update, as in PostgreSQL. */
  readonly 'update'?: Rule<Request, Filter> | UpdateRule<Request, Filter>;
  /** Which rows may be deleted. */
  readonly 'delete'?: Rule<Request, Filter>;
  /** The rule of the actions without an entry. */
  readonly '*'?: Rule<Request, Filter>;
}

/** A rule for the row before an update, and another for the row after it. */
export interface UpdateRule<Request = never, Filter = Where> {
  readonly using: Rule<Request, Filter>;
  /** @default `using` */
  readonly check?: Rule<Request, Filter>;
}

/** The option `rules`, by Prisma's model names. `'*'` applies to the models without an entry. */
export type RulesOption = Readonly<Record<string, boolean | ModelRules>>;
