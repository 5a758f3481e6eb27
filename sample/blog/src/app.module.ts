import { Module } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import { DatabaseModule } from './database/database.module.js';
import { prisma } from './database/prisma.js';
import { resourceSchema } from './generated/resource-schema.js';
import { BASE_URL } from './settings.js';

@Module({
  imports: [
    DatabaseModule,
    ResourceApiModule.forRoot({
      schema: resourceSchema,
      getClient: () => prisma,
      rest: { prefix: 'api/rest', endpoint: `${BASE_URL}/api/rest`, pageSize: 100 },
      rpc: { prefix: 'api/rpc' },
    }),
  ],
})
export class AppModule {}
