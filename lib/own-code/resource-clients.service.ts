import { Inject, Injectable } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import { callersClient } from './callers-client.js';
import { fullyExposedModel } from './fully-exposed-model.js';
import { ClientSource } from '../platform/client-source.service.js';
import { requestContextOf } from '../platform/request-context.js';
import { RESOURCE_API_OPTIONS, ROW_RULES, TELEMETRY } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { CallerContext, RowRules } from '../rules/row-rules.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { RuledClientCheck } from '../run/ruled-client-check.service.js';

/**
 * Data clients of callers, for providers and controllers of the application, which can stay singletons.
 *
 * @example
 * constructor(private readonly clients: ResourceClients) {}
 *
 * async mine(request: CallerRequest): Promise<number> {
 *   const db = await this.clients.ruled<PrismaClient>(request);
 *   return db.post.count();
 * }
 */
@Injectable()
export class ResourceClients {
  /** The contexts of requests to other endpoints of the application, by request. */
  private readonly contexts = new WeakMap<object, { readonly request: object }>();

  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    private readonly source: ClientSource,
    @Inject(ROW_RULES) private readonly rules: RowRules | null,
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'schema'>,
    private readonly ruledClients: RuledClientCheck,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry | null,
  ) {}

  /**
   * Returns the client that `getClient` returns for a request.
   *
   * @param request the platform's: Express' or Fastify's
   */
  async of<Client extends object = DataClient>(request: PlatformRequest): Promise<Client> {
    // The caller names the type, because the application provides the client in `getClient`.
    return (await this.source.ask({ request })) as Client;
  }

  /**
   * Returns the same client under the rules of the module. It reads and writes what the rules allow the caller, and throws a 403 error otherwise. It
   * has the model delegates and `$transaction`, and no raw SQL. Without the option `rules`, it is the client itself.
   *
   * @throws ConfigurationError for a client on which rules cannot be enforced
   */
  async ruled<Client extends object = DataClient>(request: PlatformRequest): Promise<Client> {
    const client = await this.of<Client>(request);
    const { rules, telemetry } = this;
    if (!rules) return client;
    this.ruledClients.requireRulable(client);
    const model = fullyExposedModel(this.options.schema);
    return callersClient({ client, rules, model, requestContext: this.requestContextOf(request), telemetry });
  }

  private requestContextOf(request: PlatformRequest): CallerContext {
    const known = requestContextOf(request) ?? this.contexts.get(request);
    if (known) return known;
    const made = { request };
    this.contexts.set(request, made);
    return made;
  }
}
