import { Module } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import type { Contender } from '../contenders.js';
import { resourceSchema } from '../generated/resource-schema.js';
import { clientOf } from './clients.js';
import { listen } from './platform.js';

/** The options without which there is no API. */
export const neededOptions = (contender: Contender) => ({
  schema: resourceSchema,
  getClient: clientOf(contender),
  rest: { prefix: 'rest', endpoint: 'http://localhost/rest' },
  rpc: { prefix: 'rpc' },
});

/** This package, with its options as they are by default. */
export function start(contender: Contender): Promise<number> {
  @Module({ imports: [ResourceApiModule.forRoot(neededOptions(contender))] })
  class AppModule {}
  return listen(AppModule, contender);
}
