import { Module } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import { callerClient } from './caller/caller-client.js';
import { CallerGuard } from './caller/caller.guard.js';
import { DatabaseModule } from './database/database.module.js';
import { resourceSchema } from './generated/resource-schema.js';
import { BASE_URL } from './settings.js';

@Module({
  imports: [
    DatabaseModule,
    ResourceApiModule.forRoot({
      schema: resourceSchema,
      guards: [CallerGuard],
      getClient: callerClient,
      rest: { prefix: 'api/rest', endpoint: `${BASE_URL}/api/rest`, pageSize: 100 },
      rpc: { prefix: 'api/rpc' },
      // Nobody signs up here: a user needs a password, which this API hides.
      resources: { User: { actions: ['read', 'update', 'delete'] } },
    }),
  ],
})
export class AppModule {}
