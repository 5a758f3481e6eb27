import { Inject } from '@nestjs/common';
import { DATA_CLIENT } from '../options/tokens.js';

/**
 * Injects the data client of the current request into a provider or controller of the application, which becomes request-scoped.
 *
 * Nest creates request-scoped providers before it runs guards. A `getClient` with a parameter is therefore called when the client is first
 * used, so that it can read what guards have added to the request. Until then, calls on the client are recorded, and executed when they are
 * awaited.
 *
 * @example
 * constructor(@InjectDataClient() private readonly prisma: PrismaClient) {}
 */
export function InjectDataClient(): ParameterDecorator & PropertyDecorator {
  return Inject(DATA_CLIENT);
}
