import { Module } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import type { Contender } from '../contenders.js';
import { neededOptions } from './ours.js';
import { listen } from './platform.js';

/** This package where all connections show the same rows: requests that arrive together share reads. */
export function start(contender: Contender): Promise<number> {
  @Module({ imports: [ResourceApiModule.forRoot({ ...neededOptions(contender), shareReads: true })] })
  class AppModule {}
  return listen(AppModule, contender);
}
