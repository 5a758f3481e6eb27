import { type CanActivate, ConflictException, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import {
  type ActionOf,
  AfterCommit,
  type AfterCommitOf,
  AfterWrite,
  type AfterWriteOf,
  ApiError,
  BeforeWrite,
  type BeforeWriteOf,
  type PlatformRequest,
  ResourceAction,
  ResourceActions,
  ResourceHooks,
} from '../../../lib/index.js';
import { listsIn } from '../../support/databases/this-database.js';
import type { Prisma, PrismaClient } from '../../support/generated/prisma/client.js';

export interface CallerRequest extends PlatformRequest {
  callerId?: number;
}

export class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    request.callerId = Number(request.headers['x-user-id'] ?? 1);
    return true;
  }
}

/** The events that the hooks have received, in order, as `moment action Model`. */
export const events: string[] = [];
/** The last argument of each event, by the text of the event. */
export const received = new Map<string, object>();
/** Work that `@AfterCommit` does for a test. */
export const onCommit: { work: () => Promise<void> | void } = { work: () => undefined };

function record(moment: string, event: { model: string; action: string }): void {
  const text = `${moment} ${event.action} ${event.model}`;
  events.push(text);
  received.set(text, event);
}

@Injectable()
class Suffix {
  readonly text = '!';
}

@ResourceHooks('Post')
class PostHooks {
  constructor(private readonly suffix: Suffix) {}

  @BeforeWrite('create')
  @BeforeWrite('update', { before: true })
  check(write: BeforeWriteOf<PrismaClient, 'Post', CallerRequest>): typeof write.data | undefined {
    record('before', write);
    const { data } = write;
    // The types reject some of these results, but plain JavaScript can return them.
    switch (String(data.title)) {
      case 'refused':
        throw new ConflictException('Not this title.');
      case 'broken':
        throw new Error('No check service.');
      case 'api error':
        throw new ApiError('forbidden', 'Not you.');
      case 'unknown':
        return { ...data, tilte: 'x' } as unknown as typeof data;
      case 'mistyped':
        return { ...data, viewCount: 'many' } as unknown as typeof data;
      case 'text':
        return 'text' as unknown as typeof data;
      case 'nothing to do':
        return {};
      case 'changed':
        return {
          ...data,
          title: `${String(data.title)}${this.suffix.text}`,
          ...listsIn({ keywords: ['hook'] }),
          authorId: 3,
          metadata: { by: 'hook' },
        };
      default:
        return undefined;
    }
  }

  @BeforeWrite('delete', { before: true })
  keep(write: BeforeWriteOf<PrismaClient, 'Post', CallerRequest, 'delete'>): void {
    record('before', write);
    if (write.before?.title === 'kept') throw new ConflictException('It is kept.');
  }

  @AfterWrite()
  async after(write: AfterWriteOf<PrismaClient, 'Post', CallerRequest>): Promise<void> {
    record('after', write);
    const { after, client } = write;
    if (after?.title === 'after') throw new ConflictException('Too late.');
    if (after?.title === 'twice') await client.category.create({ data: { name: 'x', slug: 'same' } }).catch(() => undefined);
    if (after?.title === 'hidden fault') throw Object.assign(new Error('gone'), { code: 'P2025', meta: { reason: 'RESULT_NOT_READABLE' } });
  }

  @AfterCommit()
  async committed(write: AfterCommitOf<PrismaClient, 'Post', CallerRequest>): Promise<void> {
    record('commit', write);
    await onCommit.work();
  }
}

/** Writes one row of the audit log for each written record. */
@ResourceHooks('*')
class AuditHooks {
  @AfterWrite()
  async audit({ model, action, key, changed, request, client }: AfterWriteOf<PrismaClient, '*', CallerRequest>): Promise<void> {
    if (action === 'update' && changed.length === 0) return;
    const payload = { key: Object.values(key).map(String), changed, caller: request.callerId } as Prisma.InputJsonObject;
    await client.auditEvent.create({ data: { type: `${action} ${model}`, payload } });
  }
}

@ResourceHooks('Comment')
class CommentHooks {
  @BeforeWrite('create')
  check({ data }: BeforeWriteOf<PrismaClient, 'Comment'>): void {
    if (data.body === 'bad') throw new ConflictException('Bad comment.');
  }
}

@ResourceActions('Post')
class PostActions {
  @ResourceAction()
  async rename({ record, client }: ActionOf<PrismaClient, 'Post'>): Promise<void> {
    await client.post.update({ where: { id: record.id }, data: { title: 'renamed' } });
    await client.comment.create({ data: { postId: record.id, body: 'in an action' } });
  }

  @ResourceAction()
  async fail({ record, client }: ActionOf<PrismaClient, 'Post'>): Promise<void> {
    await client.post.update({ where: { id: record.id }, data: { title: 'renamed' } });
    throw new ConflictException('Not today.');
  }
}

@Module({ providers: [PostHooks, AuditHooks, CommentHooks, PostActions, Suffix] })
export class HooksModule {}
