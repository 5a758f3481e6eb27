import { Module } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import { callerClient } from './caller/caller-client.js';
import { CallerGuard } from './caller/caller.guard.js';
import { DatabaseModule } from './database/database.module.js';
import { DocsController } from './docs.controller.js';
import { resourceSchema } from './generated/resource-schema.js';
import { resources } from './resources.js';
import { BASE_URL } from './settings.js';

@Module({
  controllers: [DocsController],
  imports: [
    DatabaseModule,
    ResourceApiModule.forRoot({
      schema: resourceSchema,
      guards: [CallerGuard],
      getClient: callerClient,
      rest: { prefix: 'api/rest', endpoint: `${BASE_URL}/api/rest`, pageSize: 100 },
      rpc: { prefix: 'api/rpc' },
      resources,
    }),
  ],
})
export class AppModule {}
