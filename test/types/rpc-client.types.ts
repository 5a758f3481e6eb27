// Compiled, never run: what the types of the RPC client promise. `@ts-expect-error` marks what must not compile.
import { Decimal } from 'decimal.js';
import { createRpcClient, type ExposedBy, type ModelDescription, type RpcClient, RpcClientError } from '../../lib/client/index.js';
import type { Prisma, PrismaClient } from '../support/generated/prisma/client.js';
import type { resourceSchema } from '../support/generated/resource-schema.js';
import { expectTypeOf } from './expect-type-of.js';

declare const api: RpcClient<PrismaClient>;

export async function resultsAreTypedAsPrismaTypesThem(): Promise<void> {
  expectTypeOf(await api.post.findMany()).is<Prisma.PostGetPayload<object>[]>(true);
  const post = await api.post.findFirstOrThrow();
  expectTypeOf(post.createdAt).is<Date>(true);
  expectTypeOf(post.rating).is<Prisma.Decimal | null>(true);

  const order = await api.order.findUniqueOrThrow({ where: { id: 1n } });
  expectTypeOf(order.id).is<bigint>(true);
  const profile = await api.profile.findFirst({ where: { userId: 1 } });
  expectTypeOf(profile?.avatar).is<Prisma.Bytes | null | undefined>(true);
  // @ts-expect-error findFirst may find nothing.
  expectTypeOf(profile.bio);
}

export async function selectionNarrowsTheResult(): Promise<void> {
  const selected = await api.post.findMany({ select: { title: true, author: { select: { email: true } } } });
  expectTypeOf(selected).is<{ title: string; author: { email: string } }[]>(true);

  const included = await api.post.findUnique({
    where: { id: 1 },
    include: { author: true, tags: true, _count: { select: { comments: true } } },
  });
  expectTypeOf(included?.author.email).is<string | undefined>(true);
  expectTypeOf(included?._count).is<{ comments: number } | undefined>(true);

  const omitted = await api.tag.create({ data: { name: 'new' }, omit: { id: true } });
  expectTypeOf(omitted).is<{ name: string }>(true);
  // @ts-expect-error It is omitted.
  expectTypeOf(omitted.id);
}

export async function everyOperationHasItsOwnResult(): Promise<void> {
  expectTypeOf(await api.tag.deleteMany()).is<{ count: number }>(true);
  const count = await api.post.count({ where: { published: true } });
  expectTypeOf(count).is<number>(true);
  const counts = await api.post.count({ select: { _all: true, rating: true } });
  expectTypeOf(counts).is<{ _all: number; rating: number }>(true);
  const { _avg, _max } = await api.product.aggregate({ _avg: { price: true }, _max: { price: true } });
  expectTypeOf(_avg.price).is<Prisma.Decimal | null>(true);
  expectTypeOf(_max.price).is<Prisma.Decimal | null>(true);
  const groups = await api.post.groupBy({ by: ['authorId'], _sum: { viewCount: true }, orderBy: { authorId: 'asc' } });
  for (const { authorId, _sum } of groups) {
    expectTypeOf(authorId).is<number>(true);
    expectTypeOf(_sum).is<{ viewCount: number | null }>(true);
  }
  const created = await api.tag.createManyAndReturn({ data: [{ name: 'a' }], select: { id: true } });
  expectTypeOf(created).is<{ id: number }[]>(true);
  await api.tag.updateManyAndReturn({ where: {}, data: { name: 'a' } });
  await api.tag.upsert({ where: { id: 1 }, create: { name: 'a' }, update: {} });
}

export function wrongArgumentsDoNotCompile(): void {
  // @ts-expect-error No such field.
  void api.post.findMany({ where: { titel: 'x' } });
  // @ts-expect-error A value of another type.
  void api.post.findMany({ where: { title: 1 } });
  // @ts-expect-error No such relation.
  void api.post.findMany({ include: { writer: true } });
  // @ts-expect-error A title is required.
  void api.post.create({ data: { authorId: 1 } });
  // @ts-expect-error So is the argument.
  void api.post.findUnique();
  // @ts-expect-error A unique field is wanted.
  void api.post.findUnique({ where: { title: 'x' } });
  // @ts-expect-error No such member of the enum.
  void api.user.findMany({ where: { role: 'OWNER' } });
  // @ts-expect-error No such argument.
  void api.post.findMany({ limit: 1 });
  // @ts-expect-error groupBy wants to be ordered by what it groups by.
  void api.post.groupBy({ by: ['authorId'], orderBy: { title: 'asc' } });
}

export function onlyWhatTheServerServesIsThere(): void {
  // @ts-expect-error No such model.
  expectTypeOf(api.article);
  // @ts-expect-error Raw SQL is not served.
  expectTypeOf(api.$queryRaw);
  // @ts-expect-error Nothing to connect.
  expectTypeOf(api.$connect);
  // @ts-expect-error References to fields need a PrismaClient.
  expectTypeOf(api.post.fields);
  // @ts-expect-error Interactive transactions would hold one open over HTTP.
  void api.$transaction(async (tx: unknown) => Promise.resolve(tx));
}

export async function descriptionsNameModelsOfTheClient(): Promise<void> {
  const { models, limits } = await api.$describe('post');
  expectTypeOf(limits.maxTake).is<number>(true);
  expectTypeOf(models).is<readonly ModelDescription[]>(true);
  void api.$with({ headers: {} }).$describe();
  // @ts-expect-error It names a delegate.
  void api.$describe('Post');
  // @ts-expect-error It is no model.
  void api.$describe('$transaction');
}

export async function fluentMethodsFollowRelations(): Promise<void> {
  const author = await api.post.findUnique({ where: { id: 1 } }).author({ select: { email: true } });
  expectTypeOf(author).is<{ email: string } | null>(true);
  const comments = await api.post.findUniqueOrThrow({ where: { id: 1 } }).comments();
  expectTypeOf(comments.map(({ body }) => body)).is<string[]>(true);
}

export async function transactionsHaveTuplesOfResults(): Promise<void> {
  const [tag, count, deleted] = await api.$transaction([
    api.tag.create({ data: { name: 'a' }, select: { name: true } }),
    api.post.count(),
    api.tag.deleteMany({ where: { posts: { none: {} } } }),
  ]);
  expectTypeOf(tag).is<{ name: string }>(true);
  expectTypeOf(count).is<number>(true);
  expectTypeOf(deleted).is<{ count: number }>(true);

  const many = await api.$transaction(['a', 'b'].map((name) => api.tag.create({ data: { name } })));
  expectTypeOf(many.map(({ name }) => name)).is<string[]>(true);
  // @ts-expect-error The call inside is on its way already.
  void api.$transaction([api.tag.findMany().then((tags) => tags.length)]);
  // @ts-expect-error Not a call.
  void api.$transaction([Promise.resolve(1)]);
}

export function valuesGoBothWays(): void {
  void api.product.create({ data: { sku: 'A', name: 'a', price: new Decimal('9.99') } });
  void api.product.findMany({ where: { price: { gt: new Decimal(1), lt: '2.5' } } });
  void api.profile.update({ where: { id: 1 }, data: { avatar: new Uint8Array([1]), birthday: new Date() } });
  void api.order.findMany({ where: { id: { in: [1n, 2n] } } });
}

/** Prisma's declaration of Decimal and the one of decimal.js are two copies of one class. */
export function decimalsAreThoseOfDecimalJs(mine: Decimal, theirs: Prisma.Decimal): [Prisma.Decimal, Decimal] {
  return [mine, theirs];
}

export function optionsTakeWhatFetchTakes(): void {
  const endpoint = 'https://api.example.com/api/rpc';
  createRpcClient<PrismaClient>({ endpoint: new URL(endpoint), headers: new Headers(), fetch });
  createRpcClient<PrismaClient>({ endpoint, headers: [['a', 'b']], fetch: (url, init) => fetch(url, { ...init, credentials: 'include' }) });
  createRpcClient<PrismaClient>({ endpoint, headers: () => Promise.resolve({ authorization: undefined, a: 'b' }), maxUrlLength: 2000 });
  expectTypeOf(api.$with({ signal: AbortSignal.timeout(1), headers: { a: 'b' } })).is<RpcClient<PrismaClient>>(true);
  // @ts-expect-error An endpoint is required.
  createRpcClient<PrismaClient>({});
  // @ts-expect-error A header's value is text.
  createRpcClient<PrismaClient>({ endpoint, headers: { a: 1 } });
  // @ts-expect-error Without the client's type there are no models.
  expectTypeOf(createRpcClient({ endpoint }).post);
}

export function errorsAreTyped(error: unknown): string | undefined {
  if (!(error instanceof RpcClientError)) return undefined;
  expectTypeOf(error.status).is<number>(true);
  expectTypeOf(error.orm).is<boolean>(true);
  expectTypeOf(error.rejectedByPolicy).is<boolean>(true);
  return error.code ?? error.reason ?? error.message;
}

/** A client with a global `omit`, as the server makes it, keeps it in its type. */
export async function globalOmitIsKept(narrow: RpcClient<PrismaClient<never, { user: { email: true } }>>): Promise<void> {
  const user = await narrow.user.findUniqueOrThrow({ where: { id: 1 } });
  expectTypeOf(user.name);
  // @ts-expect-error Omitted everywhere.
  expectTypeOf(user.email);
}

/** What a `$extends` of the server adds is not promised to be served; all else is typed as ever. */
export async function extendedClientsWork(extended: RpcClient<ReturnType<typeof extend>>): Promise<void> {
  expectTypeOf(await extended.post.findMany({ select: { title: true } })).is<{ title: string }[]>(true);
  // @ts-expect-error No such field.
  void extended.post.findMany({ where: { titel: 'x' } });
}

/** Of the server, by the classes of its actions: nothing of them is loaded. */
interface TaskLikeActions {
  publish(given: {
    readonly record: { readonly id: number };
    readonly body: { readonly note: string };
  }): Promise<Prisma.PostGetPayload<object>>;
  stats(given: { readonly body: undefined }): Promise<{ readonly since: Date; readonly of: readonly { readonly n: number }[] }>;
  find(): Promise<Prisma.PostGetPayload<object> | null>;
  last(): Prisma.PostGetPayload<object> | undefined;
  touch(): void;
  readonly helper: string;
}

export async function ownActionsAreCalled(acting: RpcClient<PrismaClient, unknown, { Post: TaskLikeActions }>): Promise<void> {
  expectTypeOf(await acting.post.publish({ where: { id: 1 }, args: { note: 'x' } })).is<Prisma.PostGetPayload<object>>(true);
  expectTypeOf(await acting.post.find()).is<Prisma.PostGetPayload<object> | null>(true);
  expectTypeOf(await acting.post.last()).is<Prisma.PostGetPayload<object> | null>(true);
  expectTypeOf(await acting.post.stats()).is<{ readonly since: string; readonly of: readonly { readonly n: number }[] }>(true);
  expectTypeOf(await acting.post.touch({ where: { id: 1 } })).is<null>(true);
  void acting.$transaction([acting.post.findMany(), acting.post.touch()]);
  expectTypeOf(await acting.$with({}).post.touch()).is<null>(true);
  // @ts-expect-error It takes a body.
  void acting.post.publish({ where: { id: 1 } });
  // @ts-expect-error The body is another one.
  void acting.post.publish({ where: { id: 1 }, args: { note: 1 } });
  // @ts-expect-error No unique key.
  void acting.post.touch({ where: { title: 'x' } });
  // @ts-expect-error No method.
  expectTypeOf(acting.post.helper);
  // @ts-expect-error Actions of another model.
  expectTypeOf(acting.user.touch);
}

/** But for the computed fields that `resources` names. */
export async function computedFieldsAreServed(
  shown: RpcClient<
    ReturnType<typeof extend>,
    ExposedBy<typeof resourceSchema, { readonly Post: { readonly computed: { readonly slug: 'String' } } }>
  >,
): Promise<void> {
  const { slug } = await shown.post.findFirstOrThrow({ include: { author: true } });
  expectTypeOf(slug).is<string>(true);
  expectTypeOf(await shown.post.findMany({ select: { slug: true } })).is<{ slug: string }[]>(true);
  const user = await shown.user.findFirstOrThrow({ include: { posts: true } });
  expectTypeOf(user.posts[0]?.slug).is<string | undefined>(true);
  // @ts-expect-error The database does not know it.
  void shown.post.findMany({ where: { slug: 'x' } });
}

export function extend(prisma: PrismaClient) {
  return prisma.$extends({ result: { post: { slug: { needs: { title: true }, compute: ({ title }) => title.toLowerCase() } } } });
}
