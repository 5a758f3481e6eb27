import { Module } from '@nestjs/common';
import { DatabaseLifecycle } from './database-lifecycle.js';

/** Prepares the database before the first request and closes it after the last. */
@Module({ providers: [DatabaseLifecycle] })
export class DatabaseModule {}
