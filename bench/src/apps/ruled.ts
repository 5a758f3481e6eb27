import { Module } from '@nestjs/common';
import { defineRules, type PlatformRequest, ResourceApiModule } from 'nestjs-resource-api';
import type { Contender } from '../contenders.js';
import type { PrismaClient } from '../generated/prisma/client.js';
import { neededOptions } from './ours.js';
import { listen } from './platform.js';

/** The user whose rows the caller reads; hand-written controllers have it in the query. */
const tenantOf = ({ headers }: PlatformRequest): number => Number(headers['x-tenant'] ?? 50);

/** Each model has a rule, which each request evaluates. */
const rules = defineRules<PrismaClient, PlatformRequest>()({
  Post: { read: (request) => ({ authorId: tenantOf(request) }) },
  User: { read: (request) => ({ id: tenantOf(request) }) },
  Comment: { read: (request) => ({ authorId: tenantOf(request) }) },
  Event: { read: true },
});

/** This package under row rules. */
export function start(contender: Contender): Promise<number> {
  @Module({ imports: [ResourceApiModule.forRoot({ ...neededOptions(contender), rules })] })
  class AppModule {}
  return listen(AppModule, contender);
}
