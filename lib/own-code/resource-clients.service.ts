import { Inject, Injectable } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import { callersClient } from './callers-client.js';
import { openModel } from './open-model.js';
import { ClientSource } from '../platform/client-source.service.js';
import { requestContextOf } from '../platform/request-context.js';
import { RESOURCE_API_OPTIONS, ROW_RULES } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { CallerContext, RowRules } from '../rules/row-rules.js';
import { RuledClientCheck } from '../run/ruled-client-check.service.js';

/**
 * Data clients of callers, for providers and controllers of the host, which stay singletons.
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
  /** By request, where it is not one to the API. */
  private readonly exchanges = new WeakMap<object, { readonly request: object }>();

  constructor(
    private readonly source: ClientSource,
    @Inject(ROW_RULES) private readonly rules: RowRules | null,
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'schema'>,
    private readonly ruledClients: RuledClientCheck,
  ) {}

  /**
   * What `getClient` gives for a request.
   *
   * @param request the platform's: Express' or Fastify's
   */
  async of<Client extends object = DataClient>(request: PlatformRequest): Promise<Client> {
    // The type is the host's to name, who gives the client.
    return (await this.source.ask({ request })) as Client;
  }

  /**
   * The same client under the rules of the module: it reads and writes what they allow the caller, who is told 403 where they do not. It has the
   * model delegates and `$transaction`, and no raw SQL. Without the option `rules` it is the client itself.
   *
   * @throws ConfigurationError for a client that rules cannot be kept on
   */
  async ruled<Client extends object = DataClient>(request: PlatformRequest): Promise<Client> {
    const client = await this.of<Client>(request);
    const { rules } = this;
    if (!rules) return client;
    this.ruledClients.requireRulable(client);
    return callersClient({ client, rules, model: openModel(this.options.schema), exchange: this.requestContextOf(request) });
  }

  private requestContextOf(request: PlatformRequest): CallerContext {
    const known = requestContextOf(request) ?? this.exchanges.get(request);
    if (known) return known;
    const made = { request };
    this.exchanges.set(request, made);
    return made;
  }
}
