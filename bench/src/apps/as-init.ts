import { Injectable, Module } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { ResourceApiModule, withSql } from 'nestjs-resource-api';
import { Pool } from 'pg';
import type { Contender } from '../contenders.js';
import { PrismaClient } from '../generated/prisma/client.js';
import { resourceSchema } from '../generated/resource-schema.js';
import { connectionString, POOL_SIZE } from './clients.js';
import { listen } from './platform.js';

@Injectable()
class PrismaService extends PrismaClient {
  readonly pool: Pool;

  constructor() {
    // What `init` writes leaves `max` to `pg`, whose default is that of every contender.
    const pool = new Pool({ connectionString, max: POOL_SIZE, statement_timeout: 5_000 });
    super({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
    this.pool = pool;
  }
}

@Module({ providers: [PrismaService], exports: [PrismaService] })
class PrismaModule {}

/** This package as `init` writes it for PostgreSQL: each model by name, the time limit on the connections, SQL on their pool. */
@Module({
  imports: [
    ResourceApiModule.forRootAsync({
      imports: [PrismaModule],
      inject: [PrismaService],
      rest: { prefix: 'rest' },
      rpc: { prefix: 'rpc' },
      useFactory: (prisma: PrismaService) => {
        const sqlClient = withSql(prisma, { pool: prisma.pool, writes: true });
        return {
          schema: resourceSchema,
          getClient: () => sqlClient,
          rest: { endpoint: 'http://localhost/rest' },
          resources: { '*': 'hidden', 'User': {}, 'Post': {}, 'Comment': {}, 'Event': {} },
        };
      },
    }),
  ],
})
class AppModule {}

export function start(contender: Contender): Promise<number> {
  return listen(AppModule, contender);
}
