import { type Provider, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { ConfigurationError } from '../errors/configuration-error.js';
import { DATA_CLIENT, RESOURCE_API_OPTIONS } from '../resource-api.constants.js';
import { type ResourceApiOptions } from '../resource-api.options.js';

/**
 * `DATA_CLIENT`: what the option `getClient` gives for the request at hand, once per request.
 *
 * Its own requests ask for it after guards have run and the request was parsed, so that `getClient` sees what a guard has put on the request.
 */
export const dataClientProvider: Provider = {
  provide: DATA_CLIENT,
  scope: Scope.REQUEST,
  inject: [REQUEST, RESOURCE_API_OPTIONS],
  useFactory: async (request: unknown, options: ResourceApiOptions) => {
    const client = await options.getClient?.(request as never);
    if (typeof client === 'object') return client;
    throw new ConfigurationError('getClient returned no data client.', 'Return a PrismaClient, or anything else with its model delegates.');
  },
};
