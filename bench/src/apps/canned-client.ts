import { Prisma } from '../generated/prisma/client.js';

const { Decimal } = Prisma;

/** Returns fixed rows for the reads of a post, so that only the cost of the server is measured. */
export const cannedClient = {
  post: {
    findMany: ({ take = 20, include, select }: Args): Promise<readonly object[]> =>
      Promise.resolve(rowsOf(take, { ...include, ...select })),
    findUnique: (): Promise<object> => Promise.resolve(POST),
    findUniqueOrThrow: (): Promise<object> => Promise.resolve(POST),
    count: (): Promise<number> => Promise.resolve(20_000),
  },
  comment: {
    findMany: ({ where }: Args): Promise<readonly object[]> =>
      Promise.resolve((where?.postId?.in ?? []).flatMap((post) => COMMENTS.get(post) ?? [])),
  },
};

interface Args {
  readonly take?: number;
  readonly where?: { readonly postId?: { readonly in?: readonly number[] } };
  readonly include?: Readonly<Record<string, unknown>>;
  readonly select?: Readonly<Record<string, unknown>>;
}

function makePost(id: number): object {
  return {
    id,
    title: `Post number ${id}`,
    content: 'Lorem ipsum dolor sit amet. '.repeat(8),
    published: true,
    viewCount: 9_007_199_254_740_000n + BigInt(id),
    rating: new Decimal((id % 500) / 100),
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, id)),
    authorId: 1 + (id % 1000),
  };
}

function makeComment(id: number): object {
  const createdAt = new Date(Date.UTC(2026, 1, 1, 0, id));
  return { id, body: `Comment number ${id}`, createdAt, postId: 1 + Math.floor((id - 1) / 3), authorId: 1 + (id % 1000) };
}

const ids = Array.from({ length: 10_000 }, (_, index) => index + 1);
const POSTS = ids.map(makePost);
const WITH_AUTHOR = ids.slice(0, 100).map((id) => {
  const author = 1 + (id % 1000);
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, author));
  return { ...makePost(id), author: { id: author, email: `user${author}@bench.example`, name: `User ${author}`, createdAt } };
});
const COMMENTS = new Map(ids.slice(0, 100).map((id) => [id, [3 * id - 2, 3 * id - 1, 3 * id].map(makeComment)]));
const WITH_COMMENTS = ids.slice(0, 100).map((id) => ({ ...makePost(id), comments: COMMENTS.get(id) }));
const POST = makePost(42);

function rowsOf(take: number, selected: Readonly<Record<string, unknown>>): readonly object[] {
  const rows = selected['author'] ? WITH_AUTHOR : selected['comments'] ? WITH_COMMENTS : POSTS;
  return rows.slice(0, take);
}
