import type { Reasoned } from './reason.js';

/** A condition of rows: all of them, none, or those that a Prisma `where` finds. */
export type Condition = boolean | Where;

/** A Prisma `where` of a model. */
export type Where = Readonly<Record<string, unknown>>;

/**
 * Which rows of a model a caller may reach by one action: `true` for all, `false` for none, a Prisma `where` of the model, or a function of the
 * platform's request that gives one of these. A function is called at most once per request, after the guards, and only when it is needed. Any of
 * them may have a {@link Reasoned | reason}.
 */
export type Rule<Request = never, Filter = Where> = PlainRule<Request, Filter> | Reasoned<PlainRule<Request, Filter>>;

type PlainRule<Request, Filter> = boolean | Filter | RuleFunction<Request, Filter>;

/** A method signature, so that a host may name its own request type. */
export type RuleFunction<Request, Filter> = {
  bivarianceHack(request: Request): GivenRule<Filter> | Promise<GivenRule<Filter>>;
}['bivarianceHack'];

type GivenRule<Filter> = boolean | Filter | Reasoned<boolean | Filter>;

/** The rules of one model. An action without one falls to the model's `'*'`, else to `false`. */
export interface ModelRules<Request = never, Filter = Where> {
  /** Which rows can be read: listed, counted, included, filtered by, connected to. A write needs it of the rows that it names, too. */
  readonly 'read'?: PlainRule<Request, Filter>;
  /** Which rows may be created: asked of the new row, in the transaction that creates it. */
  readonly 'create'?: Rule<Request, Filter>;
  /** Which rows may be updated. A bare rule is asked of the row before and after, as in PostgreSQL. */
  readonly 'update'?: Rule<Request, Filter> | UpdateRule<Request, Filter>;
  /** Which rows may be deleted. */
  readonly 'delete'?: Rule<Request, Filter>;
  /** For the actions that have no rule of their own. */
  readonly '*'?: Rule<Request, Filter>;
}

/** A rule for the row as it is before an update, and another for the row that results. */
export interface UpdateRule<Request = never, Filter = Where> {
  readonly using: Rule<Request, Filter>;
  /** @default `using` */
  readonly check?: Rule<Request, Filter>;
}

/** The option `rules`: by Prisma's model names; `'*'` for the models without an entry. */
export type RulesOption = Readonly<Record<string, boolean | ModelRules>>;
