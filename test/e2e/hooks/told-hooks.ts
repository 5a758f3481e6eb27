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

/** What the hooks are told, in the order in which they are. */
export const told: string[] = [];
/** The last of each, by its text. */
export const given = new Map<string, object>();
/** Work that a test has `AfterCommit` do. */
export const onCommit: { work: () => Promise<void> | void } = { work: () => undefined };

function tell(moment: string, what: { model: string; action: string }): void {
  told.push(`${moment} ${what.action} ${what.model}`);
  given.set(`${moment} ${what.action} ${what.model}`, what);
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
    tell('before', write);
    const { data } = write;
    // The types refuse what some of them return; plain JavaScript does not.
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
    tell('before', write);
    if (write.before?.title === 'kept') throw new ConflictException('It is kept.');
  }

  @AfterWrite()
  async after(write: AfterWriteOf<PrismaClient, 'Post', CallerRequest>): Promise<void> {
    tell('after', write);
    const { after, client } = write;
    if (after?.title === 'after') throw new ConflictException('Too late.');
    if (after?.title === 'twice') await client.category.create({ data: { name: 'x', slug: 'same' } }).catch(() => undefined);
    if (after?.title === 'hidden fault') throw Object.assign(new Error('gone'), { code: 'P2025', meta: { reason: 'RESULT_NOT_READABLE' } });
  }

  @AfterCommit()
  async committed(write: AfterCommitOf<PrismaClient, 'Post', CallerRequest>): Promise<void> {
    tell('commit', write);
    await onCommit.work();
  }
}

/** One row for each record that is written. */
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
