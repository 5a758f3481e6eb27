import { Inject } from '@nestjs/common';
import { DATA_CLIENT } from '../options/tokens.js';

/**
 * Injects the data client of the request at hand into a provider or controller of the host, which becomes request-scoped by it.
 *
 * Nest makes request-scoped providers before it runs guards. A `getClient` that takes the request is asked when the client is first used, so
 * that it sees what guards have put there; until then every call is kept, and made when it is awaited.
 *
 * @example
 * constructor(@InjectDataClient() private readonly prisma: PrismaClient) {}
 */
export function InjectDataClient(): ParameterDecorator & PropertyDecorator {
  return Inject(DATA_CLIENT);
}
