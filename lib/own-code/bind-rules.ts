import type { ResourceSchema } from '../model/schema/resource-schema.js';
import { DEFAULT_LIMITS } from '../model/limits.js';
import { compileRules } from '../rules/compile-rules.js';
import { RowRules } from '../rules/row-rules.js';
import type { RulesOption } from '../rules/rules-option.js';
import { callersClient } from './callers-client.js';
import { fullyExposedModel } from './fully-exposed-model.js';

/** The options of {@link bindRules}. */
export interface BindRulesOptions {
  /** The schema that the generator writes: `resourceSchema`. */
  readonly schema: ResourceSchema;
  /** The largest number of rows that one write may affect. @default `limits.maxTake` of the module: 10,000 */
  readonly maxTake?: number;
  /** The module's option of the same name: query hooks of client extensions that need not run. @default none */
  readonly bypassedHooks?: readonly string[];
}

/**
 * Binds a client to a caller without Nest, for jobs and scripts. The client reads and writes only what the rules allow that caller.
 *
 * @param request the argument of the rules: the request, or an object such as `{ user }` in its place
 * @returns the client with its model delegates and `$transaction`, and without raw SQL
 * @throws ConfigurationError for rules that do not fit the schema, and for a client without transactions
 *
 * @example
 * const mine = bindRules(prisma, rules, { callerId: 7 }, { schema: resourceSchema });
 * await mine.post.updateMany({ where: { published: false }, data: { published: true } });
 */
export function bindRules<Client extends object>(
  client: Client,
  rules: RulesOption,
  request: object,
  { schema, maxTake = DEFAULT_LIMITS.maxTake, bypassedHooks = [] }: BindRulesOptions,
): Client {
  const model = fullyExposedModel(schema);
  const compiledRules = compileRules(rules, model.storage, model.resources);
  const compiled = new RowRules(model.storage, { rules: compiledRules, maxRows: maxTake, bypassedHooks });
  compiled.check(client);
  return callersClient({ client, rules: compiled, model, requestContext: { request } });
}
