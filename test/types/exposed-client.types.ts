// Compiled, never run: what the types of the RPC client promise where they follow the server's exposure.
import { createRpcClient, type ExposedBy, type RpcClient } from '../../lib/client/index.js';
import type { Prisma, PrismaClient } from '../support/generated/prisma/client.js';
import type { resourceSchema } from '../support/generated/resource-schema.js';
import { expectTypeOf } from './expect-type-of.js';

export const resources = {
  Country: { actions: ['read'] },
  Tag: { actions: ['create', 'update'] },
  Category: 'hidden',
  Post: { fields: { metadata: 'hidden', viewCount: 'readOnly', reviewer: 'hidden', keywords: { sort: false, filter: false } } },
} as const;

type Shown = ExposedBy<typeof resourceSchema, typeof resources>;
declare const api: RpcClient<PrismaClient, Shown>;

export async function whatTheApiWritesIsReadOnly(): Promise<void> {
  type Kept = ExposedBy<
    typeof resourceSchema,
    {
      readonly Post: { readonly version: 'viewCount'; readonly softDelete: { readonly field: 'publishedAt' } };
      readonly Comment: { readonly softDelete: 'deletedAt' };
    }
  >;
  const kept = createRpcClient<PrismaClient, Kept>({ endpoint: '/api/rpc' });
  const { viewCount, publishedAt } = await kept.post.create({ data: { title: 'x', authorId: 1 } });
  expectTypeOf(viewCount).is<number>(true);
  expectTypeOf(publishedAt).is<Date | null>(true);
  void kept.post.findMany({ where: { viewCount: 1, publishedAt: { not: null } }, orderBy: { viewCount: 'asc' } });
  const restored = await kept.post.restore({ where: { id: 1 } });
  expectTypeOf(restored.title).is<string>(true);
  // @ts-expect-error A record that is restored is named.
  void kept.comment.restore({ where: { body: 'x' } });
  // @ts-expect-error It keeps nothing that is deleted.
  expectTypeOf(kept.user.restore);
  // @ts-expect-error It is counted.
  void kept.post.update({ where: { id: 1 }, data: { viewCount: 2 } });
  // @ts-expect-error It is set by a delete.
  void kept.post.create({ data: { title: 'x', authorId: 1, publishedAt: null } });
}

export function hiddenModelsAndClosedActionsAreAbsent(): void {
  // @ts-expect-error Hidden by a comment in the Prisma schema.
  expectTypeOf(api.apiToken);
  // @ts-expect-error Hidden by an option.
  expectTypeOf(api.category);
  void api.country.findMany();
  // @ts-expect-error Closed to create.
  expectTypeOf(api.country.create);
  // @ts-expect-error Closed to update.
  expectTypeOf(api.country.upsert);
  // @ts-expect-error Closed to read.
  expectTypeOf(api.tag.findMany);
  void api.$describe('country');
  // @ts-expect-error Hidden by an option.
  void api.$describe('category');
  // @ts-expect-error Raw SQL is not served.
  expectTypeOf(api.$queryRaw);
}

export async function resultsLackWhatIsHidden(): Promise<void> {
  const user = await api.user.findUniqueOrThrow({ where: { id: 1 } });
  expectTypeOf(user.email).is<string>(true);
  expectTypeOf(user.loginCount).is<number>(true);
  // @ts-expect-error It is hidden.
  expectTypeOf(user.passwordHash);
  // @ts-expect-error Never read.
  expectTypeOf(user.pin);

  const [post] = await api.post.findMany({ include: { author: true } });
  expectTypeOf(post?.author.name).is<string | undefined>(true);
  // @ts-expect-error Hidden, in an included record.
  expectTypeOf(post?.author.passwordHash);
  // @ts-expect-error It is hidden.
  expectTypeOf(post?.metadata);
  // @ts-expect-error The key of a relation to a hidden model.
  expectTypeOf(post?.categoryId);
  // @ts-expect-error The key of a hidden relation.
  expectTypeOf(post?.reviewerId);
}

export async function relatedRecordsLackItToo(): Promise<void> {
  const { comments } = await api.post.findFirstOrThrow({ include: { comments: { include: { author: true } } } });
  expectTypeOf(comments.map(({ author }) => author?.role));
  // @ts-expect-error Hidden, two relations away.
  expectTypeOf(comments.map(({ author }) => author?.passwordHash));
}

export function namingWhatIsHiddenDoesNotCompile(): void {
  // @ts-expect-error It is hidden.
  void api.user.findMany({ where: { passwordHash: 'x' } });
  // @ts-expect-error Hidden, beside what is not.
  void api.user.findMany({ where: { name: 'x', passwordHash: { startsWith: '$2' } } });
  // @ts-expect-error Hidden, inside of a connective.
  void api.user.findMany({ where: { OR: [{ name: 'x' }, { NOT: { name: 'y', recoveryCode: null } }] } });
  // @ts-expect-error Hidden, across a relation.
  void api.post.findMany({ where: { author: { name: 'x', passwordHash: 'x' } } });
  // @ts-expect-error Hidden, across a relation.
  void api.user.findMany({ where: { posts: { some: { published: true, metadata: { equals: 1 } } } } });
  // @ts-expect-error A relation to a hidden model.
  void api.post.findMany({ where: { published: true, category: { name: 'x' } } });
  // @ts-expect-error It is hidden.
  void api.user.findMany({ select: { name: true, passwordHash: true } });
  // @ts-expect-error It is hidden.
  void api.post.findMany({ include: { author: { select: { name: true, passwordHash: true } } } });
  // @ts-expect-error It is hidden.
  void api.post.findMany({ include: { author: true, category: true } });
  // @ts-expect-error Hidden: saying that it is not to be omitted is naming it.
  void api.user.findMany({ omit: { passwordHash: false } });
  // @ts-expect-error It is hidden.
  void api.user.findMany({ orderBy: [{ name: 'asc' }, { passwordHash: 'asc' }] });
  // @ts-expect-error Not open to sorting.
  void api.post.findMany({ orderBy: { title: 'asc', keywords: 'asc' } });
  // @ts-expect-error Not open to filtering.
  void api.post.findMany({ where: { title: 'x', keywords: { has: 'x' } } });
  // @ts-expect-error It is hidden.
  void api.post.findMany({ include: { comments: { where: { body: 'x', author: { passwordHash: 'x' } } } } });
  // @ts-expect-error A hidden unique field.
  void api.user.findUnique({ where: { recoveryCode: 'x' } });
  // @ts-expect-error Nothing to find it by.
  void api.user.findUnique({ where: {} });
  // @ts-expect-error It is hidden.
  void api.user.findMany({ distinct: ['passwordHash'] });
  // @ts-expect-error It is hidden.
  void api.user.groupBy({ by: ['passwordHash'] });
  // @ts-expect-error Ordered by what is not grouped by.
  void api.post.groupBy({ by: ['authorId'], orderBy: { title: 'asc' } });
  // @ts-expect-error Counted off, and not ordered.
  void api.post.groupBy({ by: ['authorId'], take: 1 });
  // @ts-expect-error It is hidden.
  void api.user.aggregate({ _count: { passwordHash: true } });
  // @ts-expect-error It is hidden.
  void api.user.count({ select: { _all: true, passwordHash: true } });
  // @ts-expect-error A hidden relation.
  void api.post.findUnique({ where: { id: 1 } }).category();
  // @ts-expect-error Neither field nor hidden.
  void api.post.findMany({ where: { titel: 'x' } });
}

export function whatMayNotBeWrittenDoesNotCompile(): void {
  void api.post.create({ data: { title: 'x', authorId: 1 } });
  void api.post.create({ data: { title: 'x', author: { connect: { id: 1 } } } });
  // @ts-expect-error Read-only.
  void api.post.create({ data: { title: 'x', authorId: 1, viewCount: 1 } });
  // @ts-expect-error Read-only.
  void api.post.update({ where: { id: 1 }, data: { title: 'x', viewCount: { increment: 1 } } });
  // @ts-expect-error Read-only, by a comment.
  void api.user.update({ where: { id: 1 }, data: { name: 'x', loginCount: 1 } });
  void api.user.create({ data: { email: 'x', name: 'x', locale: 'de', pin: '1' } });
  // @ts-expect-error Immutable.
  void api.user.update({ where: { id: 1 }, data: { name: 'x', locale: 'de' } });
  // @ts-expect-error A hidden relation.
  void api.post.create({ data: { title: 'x', authorId: 1, category: { connect: { id: 1 } } } });
  // @ts-expect-error Read-only, in a nested write.
  void api.user.update({ where: { id: 1 }, data: { posts: { create: { title: 'x', viewCount: 1 } } } });
  // @ts-expect-error Read-only, in a nested write.
  void api.user.update({ where: { id: 1 }, data: { posts: { update: { where: { id: 1 }, data: { title: 'x', viewCount: 1 } } } } });
  void api.post.update({ where: { id: 1 }, data: { tags: { connect: { id: 1 } } } });
  // @ts-expect-error Tags are never deleted.
  void api.post.update({ where: { id: 1 }, data: { tags: { connect: { id: 1 }, delete: { id: 1 } } } });
  // @ts-expect-error A title is required.
  void api.post.create({ data: { authorId: 1 } });
  // @ts-expect-error A value of another type.
  void api.post.create({ data: { title: 1, authorId: 1 } });
  // @ts-expect-error The record's hidden field.
  void api.post.createMany({ data: [{ title: 'x', authorId: 1, metadata: {} }] });
}

/** What is not hidden is typed as Prisma types it. */
export async function theRestIsAsWithPrisma(): Promise<void> {
  const args = {
    where: { published: true, author: { is: { name: { contains: 'a' } } }, createdAt: { gte: new Date() } },
    select: {
      id: true,
      rating: true,
      author: { select: { email: true } },
      comments: { take: 1, select: { id: true } },
      _count: { select: { comments: true } },
    },
    orderBy: [{ author: { name: 'asc' } }, { comments: { _count: 'desc' } }],
    distinct: ['title'],
    take: 3,
  } satisfies Prisma.PostFindManyArgs;
  const shown = await api.post.findMany(args);
  expectTypeOf(shown[0]).is<Prisma.PostGetPayload<typeof args> | undefined>(true);

  const profile = { where: { id: 1 }, include: { user: { select: { name: true } } } } satisfies Prisma.ProfileFindUniqueArgs;
  const included: Prisma.ProfileGetPayload<typeof profile> | null = await api.profile.findUnique(profile);
  expectTypeOf(included?.user).is<{ name: string } | undefined>(true);

  expectTypeOf(await api.comment.count()).is<number>(true);
  expectTypeOf(await api.comment.count({ select: { _all: true, body: true } })).is<{ _all: number; body: number }>(true);
  const { _avg, _max } = await api.product.aggregate({ _avg: { price: true }, _max: { price: true } });
  expectTypeOf(_avg.price).is<Prisma.Decimal | null>(true);
  expectTypeOf(_max.price).is<Prisma.Decimal | null>(true);
  for (const { authorId, _sum, _count } of await api.post.groupBy({
    by: ['authorId'],
    _sum: { viewCount: true },
    _count: true,
    orderBy: { authorId: 'asc' },
  })) {
    expectTypeOf(authorId).is<number>(true);
    expectTypeOf(_sum).is<{ viewCount: number | null }>(true);
    expectTypeOf(_count).is<number>(true);
  }
  expectTypeOf(await api.comment.deleteMany({ where: { body: 'x' } })).is<{ count: number }>(true);
  expectTypeOf(await api.post.findUnique({ where: { id: 1 } }).author({ select: { email: true } })).is<{ email: string } | null>(true);
  expectTypeOf((await api.post.findUniqueOrThrow({ where: { id: 1 } }).comments())[0]?.body).is<string | undefined>(true);
  const [count, created] = await api.$transaction([
    api.post.count(),
    api.post.create({ data: { title: 'x', authorId: 1 }, select: { id: true } }),
  ]);
  expectTypeOf(count).is<number>(true);
  expectTypeOf(created).is<{ id: number }>(true);
  const omitted = await api.comment.findFirstOrThrow({ omit: { body: true } });
  expectTypeOf(omitted.createdAt).is<Date>(true);
  // @ts-expect-error It is omitted.
  expectTypeOf(omitted.body);
  void api.profile.update({ where: { id: 1 }, data: { avatar: new Uint8Array([1]), birthday: new Date() } });
  void api.order.findMany({ where: { id: { in: [1n, 2n] } } });
  void api.exchangeRate.findUnique({ where: { quote: { currency: 'CHF', day: new Date() } } });
}

export function clientsAreMadeWithIt(): void {
  const made = createRpcClient<PrismaClient, ExposedBy<typeof resourceSchema>>({ endpoint: '/api/rpc' });
  void made.category.findMany({ include: { posts: true } });
  // @ts-expect-error Hidden by a comment.
  expectTypeOf(made.apiToken);
  expectTypeOf(made.$with({})).is<typeof made>(true);
}

/** A global `omit` of the server's client stays, and so does what an extension adds to nothing. */
export async function otherClientTypesWork(narrow: RpcClient<PrismaClient<never, { user: { email: true } }>, Shown>): Promise<void> {
  const user = await narrow.user.findUniqueOrThrow({ where: { id: 1 } });
  expectTypeOf(user.name).is<string>(true);
  // @ts-expect-error Omitted everywhere.
  expectTypeOf(user.email);
}
