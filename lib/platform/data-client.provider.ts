import { type Provider, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { ClientSource, makeDataClient } from './client-source.service.js';
import { DATA_CLIENT } from '../resource-api.constants.js';

/**
 * `DATA_CLIENT`: what the option `getClient` gives for the request at hand, once per request.
 *
 * The operations of this module ask for it after guards have run and the request was parsed, and a provider of the host when it first uses it:
 * `getClient` sees what a guard has put on the request.
 */
export const dataClientProvider: Provider = {
  provide: DATA_CLIENT,
  scope: Scope.REQUEST,
  inject: [REQUEST, ClientSource],
  useFactory: makeDataClient,
};
