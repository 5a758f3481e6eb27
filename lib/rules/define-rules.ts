import type { ModelRules, RulesOption } from './rules-option.js';

/**
 * Types the option `rules` by your Prisma client: every `where` is one of its model, including hidden fields. Returns its argument unchanged.
 *
 * @typeParam Client your Prisma client, extended or not
 * @typeParam Request the request of the platform, with what your guards add to it
 * @example
 * const rules = defineRules<PrismaClient, CallerRequest>()({
 *   Post: {
 *     read: { published: true },
 *     update: ({ callerId }) => (callerId === undefined ? false : { authorId: callerId }),
 *   },
 *   '*': false,
 * });
 */
export function defineRules<Client extends object, Request = unknown>(): (rules: RulesOf<Client, Request>) => RulesOption {
  // Under `exactOptionalPropertyTypes`, a model without rules has no member here, rather than one that is undefined.
  return (rules) => rules;
}

/** The rules of the models of a Prisma client. */
export type RulesOf<Client, Request> = {
  readonly [Delegate in DelegateName<Client> as Capitalize<Delegate>]?: boolean | ModelRules<Request, WhereOf<Client[Delegate]>>;
} & {
  /** The rules of the models without an entry. */
  readonly '*'?: boolean | ModelRules<Request, never>;
};

/** The names of a client's model delegates: its members with a method `count`. */
type DelegateName<Client> = {
  [Key in keyof Client]: Client[Key] extends { readonly count: (...args: never[]) => unknown } ? Key : never;
}[keyof Client] &
  string;

type WhereOf<Delegate> = Delegate extends { readonly count: (args?: infer Args) => unknown }
  ? NonNullable<Args> extends { readonly where?: infer Filter }
    ? NonNullable<Filter>
    : never
  : never;
