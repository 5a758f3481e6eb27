import { Injectable, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import { CallerGuard } from './caller.guard.js';
import { closeDatabase, openDatabase, prisma } from './database.js';
import { resourceSchema } from './generated/resource-schema.js';
import { resources } from './resources.js';
import { rules } from './rules.js';
import { BASE_URL } from './settings.js';

@Injectable()
class DatabaseLifecycle implements OnModuleInit, OnApplicationShutdown {
  onModuleInit(): Promise<void> {
    return openDatabase();
  }

  /** Not `onModuleDestroy`: Nest calls that before the HTTP server has stopped. */
  onApplicationShutdown(): Promise<void> {
    return closeDatabase();
  }
}

@Module({
  imports: [
    ResourceApiModule.forRoot({
      schema: resourceSchema,
      guards: [CallerGuard],
      getClient: () => prisma,
      rules,
      resources,
      rest: { prefix: 'api/rest', endpoint: `${BASE_URL}/api/rest` },
      rpc: { prefix: 'api/rpc' },
    }),
  ],
  providers: [DatabaseLifecycle],
})
export class AppModule {}
