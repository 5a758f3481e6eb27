import type { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';

interface Row {
  readonly id: number;
}
interface PostRow extends Row {
  readonly authorId: number;
  readonly published: boolean;
  readonly title: string;
  readonly viewCount: bigint;
}
interface CommentRow extends Row {
  readonly postId: number;
  readonly authorId: number | null;
}
interface ProfileRow extends Row {
  readonly userId: number;
}
interface TaggedRow {
  readonly postId: number;
  readonly tagId: number;
}

/** All rows of the blog that a caller may read, ordered by id. */
export interface VisibleRows {
  readonly user: readonly Row[];
  readonly profile: readonly ProfileRow[];
  readonly post: readonly PostRow[];
  readonly comment: readonly CommentRow[];
  readonly tag: readonly Row[];
  readonly tagged: readonly TaggedRow[];
}

/**
 * Reads the visible rows with plain SQL under the caller's role and settings, to compare responses of the API with them. It does not use
 * `withRowLevelSecurity`, but sets the role and the setting itself.
 */
export function readVisibleRows(prisma: PrismaClient, callerId: number | undefined): Promise<VisibleRows> {
  return prisma.$transaction(async (transaction) => {
    await transaction.$executeRawUnsafe(`SET LOCAL app.user_id = '${callerId ?? ''}'`);
    await transaction.$executeRawUnsafe('SET LOCAL ROLE blog_app');
    const read = <R>(columns: string, order = 'id'): Promise<R[]> => transaction.$queryRawUnsafe(`SELECT ${columns} ORDER BY ${order}`);
    return {
      user: await read<Row>('id FROM "User"'),
      profile: await read<ProfileRow>('id, "userId" FROM "Profile"'),
      post: await read<PostRow>('id, "authorId", published, title, "viewCount" FROM "Post"'),
      comment: await read<CommentRow>('id, "postId", "authorId" FROM "Comment"'),
      tag: await read<Row>('id FROM "Tag"'),
      tagged: await read<TaggedRow>('"A" AS "postId", "B" AS "tagId" FROM "_PostToTag"', '"B", "A"'),
    };
  });
}

export const idsOf = (rows: readonly Row[]): readonly number[] => rows.map(({ id }) => id);
