import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { applyMigrations } from './apply-migrations.js';
import { database, prisma } from './prisma.js';
import { seedWhenEmpty } from './seed.js';

/** Ties the database to the application: migrated and seeded before it listens, closed once its last request is answered. */
@Injectable()
export class DatabaseLifecycle implements OnModuleInit, OnApplicationShutdown {
  async onModuleInit(): Promise<void> {
    await applyMigrations(database);
    await seedWhenEmpty(prisma);
  }

  /** Not `onModuleDestroy`: Nest calls that before the HTTP server has stopped. */
  async onApplicationShutdown(): Promise<void> {
    await prisma.$disconnect();
    await database.close();
  }
}
