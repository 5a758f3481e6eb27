import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryOptions } from 'nestjs-resource-api/tanstack-query';
import { type Api, describeError } from './api.js';
import type { Filter } from './filters.js';
import { PostCard } from './post-card.js';
import { useSession } from './session.js';

/** The newest posts that match the filter. */
export function PostList({ filter }: { readonly filter: Filter }) {
  const { api } = useSession();
  const posts = useQuery({ ...queryOptions(findPosts(api, filter)), placeholderData: keepPreviousData });
  if (posts.isPending) return <p className="hint">Loading…</p>;
  if (posts.isError) return <p role="alert">{describeError(posts.error)}</p>;
  if (posts.data.length === 0) return <p className="hint">No posts.</p>;
  return (
    <ol className="posts">
      {posts.data.map((post) => (
        <PostCard key={post.id} post={post} />
      ))}
    </ol>
  );
}

/** One post as the list has it. */
export type ListedPost = Awaited<ReturnType<typeof findPosts>>[number];

function findPosts(api: Api, { text, tag }: Filter) {
  return api.post.findMany({
    where: {
      title: { contains: text, mode: 'insensitive' },
      ...(tag !== undefined && { tags: { some: { name: tag } } }),
    },
    include: {
      author: { select: { name: true } },
      tags: { orderBy: { name: 'asc' } },
      comments: { include: { author: { select: { name: true } } }, orderBy: { id: 'desc' }, take: 5 },
      _count: { select: { comments: true } },
    },
    orderBy: [{ publishedAt: { sort: 'desc', nulls: 'first' } }, { id: 'desc' }],
    take: 10,
  });
}
