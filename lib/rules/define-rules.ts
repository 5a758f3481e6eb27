import type { ModelRules, RulesOption } from './rules-option.js';

/**
 * Types the option `rules` by your Prisma client: every `where` is one of its model, hidden fields included. It gives back what it takes.
 *
 * @typeParam Client your Prisma client, extended or not
 * @typeParam Request the platform's request, with what your guards put on it
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
  // A model without rules is one that has no member here, not one that is undefined: exactOptionalPropertyTypes.
  return (rules) => rules;
}

/** The rules of the models of a Prisma client. */
export type RulesOf<Client, Request> = {
  readonly [Delegate in DelegateName<Client> as Capitalize<Delegate>]?: boolean | ModelRules<Request, WhereOf<Client[Delegate]>>;
} & {
  /** For the models without an entry. */
  readonly '*'?: boolean | ModelRules<Request, never>;
};

/** The names of a client's model delegates: what can be counted. */
type DelegateName<Client> = {
  [Key in keyof Client]: Client[Key] extends { readonly count: (...args: never[]) => unknown } ? Key : never;
}[keyof Client] &
  string;

type WhereOf<Delegate> = Delegate extends { readonly count: (args?: infer Args) => unknown }
  ? NonNullable<Args> extends { readonly where?: infer Filter }
    ? NonNullable<Filter>
    : never
  : never;
