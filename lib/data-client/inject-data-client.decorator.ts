import { Inject } from '@nestjs/common';
import { DATA_CLIENT } from '../resource-api.constants.js';

/**
 * Injects the data client of the request at hand into a provider or controller of the host, which becomes request-scoped by it.
 *
 * Nest makes request-scoped providers before it runs guards: where `getClient` needs what a guard has put on the request, inject the
 * client into something that is resolved later, or set the request's user in a middleware.
 *
 * @example
 * constructor(@InjectDataClient() private readonly prisma: PrismaClient) {}
 */
export function InjectDataClient(): ParameterDecorator & PropertyDecorator {
  return Inject(DATA_CLIENT);
}
