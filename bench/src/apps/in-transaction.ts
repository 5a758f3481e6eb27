import { Controller } from '@nestjs/common';
import type { Contender } from '../contenders.js';
import type { Prisma } from '../generated/prisma/client.js';
import { PostsController, start as startControllers } from './hand-written.js';

/** The same controllers, each of whose writes is in a transaction, as a write with a check or a second row would be. */
@Controller()
class InTransaction extends PostsController {
  protected override write(work: (db: Prisma.TransactionClient) => Promise<object>): Promise<object> {
    return this.prisma.$transaction(work);
  }
}

export function start(contender: Contender): Promise<number> {
  return startControllers(contender, InTransaction);
}
