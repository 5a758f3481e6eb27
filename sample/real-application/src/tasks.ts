import { ConflictException, Injectable, Logger } from '@nestjs/common';
import { type ActionOf, AfterCommit, type AfterCommitOf, ResourceAction, ResourceActions, ResourceHooks } from 'nestjs-resource-api';
import type { CallerRequest } from './caller.js';
import { prisma } from './database.js';
import type { PrismaClient, Task } from './generated/prisma/client.js';

@ResourceActions('Task')
export class TaskActions {
  /** `POST /api/rest/task/1/complete`: the task is the caller's to change, and locked. */
  @ResourceAction({ right: 'update' })
  complete({ record, client }: ActionOf<PrismaClient, 'Task', undefined, CallerRequest>): Promise<Task> {
    if (record.completedAt) throw new ConflictException('The task is completed already.');
    return client.task.update({ where: { id: record.id }, data: { completedAt: new Date() } });
  }
}

/** Replace it with your way to send mail. */
@Injectable()
export class Mailer {
  send(to: string, text: string): void {
    new Logger('Mail').log(`To ${to}: ${text}`);
  }
}

@ResourceHooks('Task')
export class TaskHooks {
  constructor(private readonly mailer: Mailer) {}

  /** Notifies users of new tasks, after the commit. */
  @AfterCommit('create')
  async notify({ rows }: AfterCommitOf<PrismaClient, 'Task', CallerRequest, 'create'>): Promise<void> {
    for (const { assigneeId, title } of rows) {
      const assignee = assigneeId && (await prisma.user.findUnique({ where: { id: assigneeId } }));
      if (assignee) this.mailer.send(assignee.email, `New for you: ${title}`);
    }
  }
}
