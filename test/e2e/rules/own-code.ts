import { Module } from '@nestjs/common';
import {
  AfterWrite,
  type AfterWriteOf,
  BeforeWrite,
  type BeforeWriteOf,
  granted,
  type PlatformRequest,
  ResourceHooks,
} from '../../../lib/index.js';
import type { Prisma, PrismaClient } from '../../support/generated/prisma/client.js';
import type { TestAppOptions } from '../../support/test-app.js';
import { callerOf } from './rules.js';

/** Replaces a forbidden text by an allowed one, and another text by the forbidden one. */
@ResourceHooks('Comment')
class CommentHooks {
  @BeforeWrite('create', 'update')
  change({ data }: BeforeWriteOf<PrismaClient, 'Comment'>): typeof data | undefined {
    if (data.body === 'x') return { ...data, body: 'forbidden' };
    return data.body === 'forbidden' ? { ...data, body: 'allowed' } : undefined;
  }
}

/** Creates one row for each written record, ordered by key, because the order of statements differs. */
@ResourceHooks('*')
class AuditHooks {
  @AfterWrite()
  async audit({ model, action, key, changed, request, client }: AfterWriteOf<PrismaClient, '*', PlatformRequest>): Promise<void> {
    const payload = { changed, caller: callerOf(request) ?? null } as Prisma.InputJsonObject;
    const id = [action, model, ...Object.values(key).map(String)].join(' ');
    await client.translation.create({ data: { locale: 'audit', key: id, text: JSON.stringify(payload) } });
  }
}

@Module({ providers: [CommentHooks, AuditHooks] })
class HooksModule {}

/** Soft delete of posts by their date of publication. Most posts have one, and so are deleted. */
const resources = {
  Post: { softDelete: { field: 'publishedAt', show: 'editor' } },
  User: { fields: { locale: { read: granted('editor'), filter: granted('editor', 'reader'), sort: granted('editor') } } },
  Category: { actions: { read: true, create: granted('editor'), update: granted('editor', 'reader'), delete: granted('editor') } },
} as const;

const grants = {
  editor: (request: PlatformRequest) => callerOf(request) === 2,
  reader: (request: PlatformRequest) => callerOf(request) === 3 || callerOf(request) === 4,
};

/** The imports and options that add code of the application to a suite. */
export type OwnCode = Pick<TestAppOptions, 'imports'> & {
  readonly options: { readonly resources?: object; readonly grants?: typeof grants };
};

/** The variants of suites that compare two applications: without code of the application, and with hooks, grants and soft delete together. */
export const OWN_CODE: readonly (readonly [name: string, own: OwnCode])[] = [
  ['alone', { options: {} }],
  ['with hooks, grants and soft delete', { imports: [HooksModule], options: { resources, grants } }],
];
