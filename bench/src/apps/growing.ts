import { Module } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import type { Contender } from '../contenders.js';
import { resourceSchema } from '../generated/resource-schema.js';
import { clientOf } from './clients.js';
import { listen } from './platform.js';

/** This package twice: below `/rest` without totals of collections, below `/counted` with them. */
export function start(contender: Contender): Promise<number> {
  const settings = { schema: resourceSchema, getClient: clientOf(contender) };
  @Module({
    imports: [
      ResourceApiModule.forRoot({ ...settings, rest: { prefix: 'rest', endpoint: 'http://localhost/rest', count: 'none' } }),
      ResourceApiModule.forRoot({ ...settings, rest: { prefix: 'counted', endpoint: 'http://localhost/counted' } }),
    ],
  })
  class AppModule {}
  return listen(AppModule, contender);
}
