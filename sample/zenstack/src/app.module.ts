import { Injectable, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { fromZenStackSchema, ResourceApiModule } from 'nestjs-resource-api';
import { CallerGuard, type CallerRequest } from './caller.guard.js';
import { clientOf, closeDatabase, openDatabase } from './database.js';
import { schema } from './generated/schema.js';

@Injectable()
class DatabaseLifecycle implements OnModuleInit, OnApplicationShutdown {
  onModuleInit(): Promise<void> {
    return openDatabase();
  }

  onApplicationShutdown(): Promise<void> {
    return closeDatabase();
  }
}

@Module({
  imports: [
    ResourceApiModule.forRoot({
      schema: fromZenStackSchema(schema),
      guards: [CallerGuard],
      getClient: ({ caller }: CallerRequest) => clientOf(caller),
      rest: { prefix: 'api/rest', endpoint: 'http://localhost:3000/api/rest' },
      rpc: { prefix: 'api/rpc' },
    }),
  ],
  providers: [DatabaseLifecycle],
})
export class AppModule {}
