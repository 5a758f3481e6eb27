import { Module } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import type { Contender } from '../contenders.js';
import { resourceSchema } from '../generated/resource-schema.js';
import { clientOf } from './clients.js';
import { listen } from './platform.js';

/** This package, with its options as they are by default. */
export function start(contender: Contender): Promise<number> {
  const getClient = clientOf(contender);
  @Module({
    imports: [
      ResourceApiModule.forRoot({
        schema: resourceSchema,
        getClient,
        rest: { prefix: 'rest', endpoint: 'http://localhost/rest' },
        rpc: { prefix: 'rpc' },
      }),
    ],
  })
  class AppModule {}
  return listen(AppModule, contender);
}
