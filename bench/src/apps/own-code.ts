import { Module } from '@nestjs/common';
import { AfterWrite, granted, ResourceApiModule, ResourceHooks } from 'nestjs-resource-api';
import type { Contender } from '../contenders.js';
import { neededOptions } from './ours.js';
import { listen } from './platform.js';

@ResourceHooks('Post')
class PostHooks {
  written = 0;

  @AfterWrite('create')
  count(): void {
    this.written++;
  }
}

/** This package with a grant, which every caller holds, of a field of the posts, and with a hook of what creates one. */
export function start(contender: Contender): Promise<number> {
  @Module({
    imports: [
      ResourceApiModule.forRoot({
        ...neededOptions(contender),
        grants: { editor: () => true },
        resources: { Post: { fields: { content: { read: granted('editor'), update: granted('editor'), create: granted('editor') } } } },
      }),
    ],
    providers: [PostHooks],
  })
  class AppModule {}
  return listen(AppModule, contender);
}
