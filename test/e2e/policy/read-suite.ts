import type { Identifier } from '../../support/json-api-document.js';
import type { RestResponse } from '../../support/rest-client.js';
import type { Caller } from './blog-app.js';
import { CALLER_NAMES, type CallerName, CALLERS } from './callers.js';
import type { PolicedBlog } from './policed-blog.js';
import { idsOf, type VisibleRows } from './visible-rows.js';

const MODELS = ['user', 'profile', 'post', 'comment', 'tag'] as const;

/** A draft of user 2, which is visible only to user 2 and to the admin. */
const DRAFT = 6;

/**
 * Describes that every read returns only visible rows, for each way to enforce the blog's policies.
 *
 * @param hiddenOrders the result of an order by related rows of which some are hidden
 * @param callers the callers of the requests
 */
export function describeReads(
  open: () => Promise<PolicedBlog>,
  hiddenOrders: 'by visible rows' | 'refused' = 'by visible rows',
  callers: readonly CallerName[] = CALLER_NAMES,
): void {
  let blog: PolicedBlog;

  beforeAll(async () => {
    blog = await open();
  }, 60_000);
  afterAll(() => blog.close());

  describe.each(callers)('as %s', (name) => {
    let caller: Caller;
    let visible: VisibleRows;
    let everything: VisibleRows;

    beforeAll(async () => {
      caller = blog.app.as(CALLERS[name]);
      visible = await blog.visibleTo(CALLERS[name]);
      everything = await blog.visibleTo(CALLERS.admin);
    });

    it('the policies make published posts, own drafts and what belongs to them visible, and all drafts to the admin', () => {
      const posts = everything.post.filter((post) => post.published || post.authorId === CALLERS[name] || name === 'admin');
      expect(visible.post).toEqual(posts);
      expect(visible.comment).toEqual(everything.comment.filter(({ postId }) => idsOf(posts).includes(postId)));
      expect(visible.tagged).toEqual(everything.tagged.filter(({ postId }) => idsOf(posts).includes(postId)));
      expect([visible.user, visible.profile, visible.tag]).toEqual([everything.user, everything.profile, everything.tag]);
      expect([visible.user.length, visible.profile.length, visible.tag.length]).toEqual([6, 4, 8]);
    });

    it.each(MODELS)('%s: REST lists and counts the visible rows, on every page', async (model) => {
      const ids = idsOf(visible[model]);
      const { document, ids: listed } = await caller.rest('GET', `/${model}?sort=id`);
      expect([listed, document.meta?.['total']]).toEqual([ids, ids.length]);
      const offset = Math.max(0, ids.length - 3);
      const last = await caller.rest('GET', `/${model}?sort=id&page[offset]=${offset}&page[limit]=3`);
      expect([last.ids, last.document.meta?.['total']]).toEqual([ids.slice(offset), ids.length]);
    });

    it.each(MODELS)('%s: REST pages through the visible rows by cursors', async (model) => {
      const found: unknown[] = [];
      const list = `/${model}?sort=${model === 'tag' || model === 'profile' ? '-id' : '-createdAt'}`;
      const whole = (await caller.rest('GET', list)).ids;
      let path: string | undefined = `${list}&page[size]=25`;
      while (path !== undefined) {
        const page: RestResponse = await caller.rest('GET', path);
        found.push(...page.ids);
        path = page.document.links?.['next']?.replace(/^.*\/api\/rest/, '');
      }
      expect(found).toEqual(whole);
      expect(new Set(found)).toEqual(new Set(idsOf(visible[model])));
    });

    it.each(MODELS)('%s: REST returns a visible row, and 404 for a hidden one', async (model) => {
      const ids = new Set(idsOf(visible[model]));
      const all = idsOf(everything[model]);
      const sample = [...all.filter((id) => !ids.has(id)).slice(0, 4), ...all.filter((id) => ids.has(id)).slice(-2)];
      for (const id of sample) {
        expect([id, (await caller.rest('GET', `/${model}/${id}`)).status]).toEqual([id, ids.has(id) ? 200 : 404]);
      }
    });

    it.each(MODELS)('%s: RPC lists, counts and aggregates the visible rows', async (model) => {
      const ids = idsOf(visible[model]);
      const rows = (await caller.rpc(`${model}/findMany`, { orderBy: { id: 'asc' }, select: { id: true } })).data;
      expect(rows).toEqual(ids.map((id) => ({ id })));
      expect((await caller.rpc(`${model}/count`)).data).toBe(ids.length);
      const { data } = await caller.rpc(`${model}/aggregate`, { _count: true, _min: { id: true }, _max: { id: true } });
      expect(data).toEqual({ _count: ids.length, _min: { id: Math.min(...ids) }, _max: { id: Math.max(...ids) } });
      const groups = (await caller.rpc(`${model}/groupBy`, { by: ['id'], orderBy: { id: 'asc' } })).data;
      expect(groups).toEqual(ids.map((id) => ({ id })));
    });

    it('sums and groups over the visible rows only', async () => {
      const sum = visible.post.reduce((total, { viewCount }) => total + viewCount, 0n);
      expect((await caller.rpc('post/aggregate', { _sum: { viewCount: true } })).data).toEqual({ _sum: { viewCount: sum } });
      const authors = [...new Set(visible.post.map(({ authorId }) => authorId))].sort((a, b) => a - b);
      expect((await caller.rpc('post/groupBy', { by: ['authorId'], _count: true, orderBy: { authorId: 'asc' } })).data).toEqual(
        authors.map((authorId) => ({ authorId, _count: visible.post.filter((post) => post.authorId === authorId).length })),
      );
    });

    it('related and relationship URLs return the visible rows, and their number as total', async () => {
      const paths: readonly (readonly [string, string, string, readonly number[]])[] = [
        ...visible.user.map(({ id }) => ['user', String(id), 'posts', idsOf(visible.post.filter((post) => post.authorId === id))] as const),
        ...visible.tag.map(({ id }) => ['tag', String(id), 'posts', postsTagged(id)] as const),
        ['user', '3', 'comments', idsOf(visible.comment.filter(({ authorId }) => authorId === 3))],
      ];
      for (const [type, id, relationship, ids] of paths) {
        const related = await caller.rest('GET', `/${type}/${id}/${relationship}?sort=id`);
        const linkage = await caller.rest('GET', `/${type}/${id}/relationships/${relationship}?sort=id`);
        expect([related.ids, related.document.meta?.['total']]).toEqual([ids, ids.length]);
        expect([linkage.ids, linkage.document.meta?.['total']]).toEqual([ids, ids.length]);
      }
    });

    it('related and relationship URLs of a hidden row are 404', async () => {
      const seen = idsOf(visible.post).includes(DRAFT);
      for (const path of ['author', 'comments', 'tags', 'relationships/author', 'relationships/comments', 'relationships/tags']) {
        expect([path, (await caller.rest('GET', `/post/${DRAFT}/${path}`)).status]).toEqual([path, seen ? 200 : 404]);
      }
    });

    it('include returns only visible rows, at each step of its path', async () => {
      const { included } = await caller.rest('GET', '/user?include=posts.comments,posts.tags,profile');
      const byUsers = visible.post;
      const comments = visible.comment;
      const tags = visible.tag.filter(({ id }) => visible.tagged.some(({ tagId }) => tagId === id));
      expect(idsIncluded(included, 'post')).toEqual(idsOf(byUsers));
      expect(idsIncluded(included, 'comment')).toEqual(idsOf(comments));
      expect(idsIncluded(included, 'tag')).toEqual(idsOf(tags));
      expect(idsIncluded(included, 'profile')).toEqual(idsOf(visible.profile));
      const back = await caller.rest('GET', '/comment?include=post.author.posts');
      expect(idsIncluded(back.included, 'post')).toEqual(idsOf(visible.post));
    });

    it('nested reads and _count of RPC contain only visible rows', async () => {
      const { data } = await caller.rpc('user/findMany', {
        orderBy: { id: 'asc' },
        select: {
          id: true,
          posts: { orderBy: { id: 'asc' }, select: { id: true, comments: { orderBy: { id: 'asc' }, select: { id: true } } } },
          _count: { select: { posts: true } },
        },
      });
      expect(data).toEqual(
        visible.user.map(({ id }) => {
          const posts = visible.post.filter(({ authorId }) => authorId === id);
          const commentsOf = (postId: number) =>
            visible.comment.filter((comment) => comment.postId === postId).map((comment) => ({ id: comment.id }));
          return { id, posts: posts.map((post) => ({ id: post.id, comments: commentsOf(post.id) })), _count: { posts: posts.length } };
        }),
      );
    });

    it('filters match no hidden row, neither by its fields nor through a relation', async () => {
      const title = everything.post.find(({ id }) => id === DRAFT)?.title ?? '';
      const seen = visible.post.filter((post) => post.title === title && !post.published);
      const drafts = visible.post.filter(({ published }) => !published);
      const authorsOfDrafts = idsOf(visible.user.filter(({ id }) => drafts.some(({ authorId }) => authorId === id)));
      const onDrafts = idsOf(visible.comment.filter(({ postId }) => idsOf(drafts).includes(postId)));
      const tagsOfDrafts = idsOf(visible.tag.filter(({ id }) => postsTagged(id).some((post) => idsOf(drafts).includes(post))));
      const rest = async (path: string) => (await caller.rest('GET', `${path}&sort=id`)).ids;
      const rpc = async (model: string, where: unknown) =>
        ((await caller.rpc(`${model}/findMany`, { where, orderBy: { id: 'asc' } })).data as { readonly id: number }[]).map(({ id }) => id);

      expect(await rest(`/post?filter[published]=false&filter[title]=${encodeURIComponent(title)}`)).toEqual(idsOf(seen));
      expect(await rest('/user?filter[posts][published]=false')).toEqual(authorsOfDrafts);
      expect(await rest('/comment?filter[post][published]=false')).toEqual(onDrafts);
      expect(await rest('/tag?filter[posts][published]=false')).toEqual(tagsOfDrafts);
      expect(await rpc('user', { posts: { some: { published: false } } })).toEqual(authorsOfDrafts);
      expect(await rpc('user', { posts: { none: { published: false } } })).toEqual(
        idsOf(visible.user).filter((id) => !authorsOfDrafts.includes(id)),
      );
      expect(await rpc('comment', { post: { is: { published: false } } })).toEqual(onDrafts);
      expect(await rpc('tag', { posts: { some: { published: false } } })).toEqual(tagsOfDrafts);
      expect((await caller.rpc('comment/count', { where: { post: { is: { published: false } } } })).data).toBe(onDrafts.length);
    });

    it('an order by a relation uses only visible rows, or is rejected', async () => {
      const orderBy = [{ posts: { _count: 'desc' } }, { id: 'asc' }];
      if (hiddenOrders === 'refused' && visible.post.length < everything.post.length) {
        expect((await caller.rest('GET', '/user?sort=-posts.$count,id')).errors[0]?.code).toBe('invalid-sort');
        expect((await caller.rpc('user/findMany', { orderBy })).status).toBe(400);
        return;
      }
      const counts = visible.user.map(({ id }) => ({ id, posts: visible.post.filter(({ authorId }) => authorId === id).length }));
      const ids = counts.sort((a, b) => b.posts - a.posts || a.id - b.id).map(({ id }) => id);
      expect((await caller.rest('GET', '/user?sort=-posts.$count,id')).ids).toEqual(ids);
      const { data } = await caller.rpc('user/findMany', { orderBy, select: { id: true } });
      expect(data).toEqual(ids.map((id) => ({ id })));
    });

    function postsTagged(tag: number): readonly number[] {
      return visible.tagged.filter(({ tagId }) => tagId === tag).map(({ postId }) => postId);
    }
  });
}

function idsIncluded(included: readonly Identifier[], type: string): readonly number[] {
  const ids = included.filter((resource) => resource.type === type).map(({ id }) => Number(id));
  return ids.sort((a, b) => a - b);
}
