import { CommentForm } from './comment-form.js';
import type { ListedPost } from './post-list.js';

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** A post with its newest comments. Its values are no text: a Date, a Decimal, a bigint. */
export function PostCard({ post }: { readonly post: ListedPost }) {
  const { id, title, content, author, publishedAt, rating, viewCount, tags, comments, _count: counts } = post;
  return (
    <li className="post">
      <h2>{title}</h2>
      <p className="meta">
        <b>{author.name}</b>
        <span>{publishedAt ? DATE.format(publishedAt) : 'Draft'}</span>
        {rating && <span>★ {rating.toFixed(1)}</span>}
        <span>{viewCount.toLocaleString('en')} views</span>
      </p>
      <p>{content}</p>
      <p className="labels">
        {tags.map(({ name }) => (
          <span key={name}>{name}</span>
        ))}
      </p>
      <details>
        <summary>{counts.comments === 1 ? '1 comment' : `${counts.comments} comments`}</summary>
        <ul>
          {comments.map((comment) => (
            <li key={comment.id}>
              <b>{comment.author?.name ?? 'Somebody who has left'}</b> {comment.body}
            </li>
          ))}
        </ul>
        <CommentForm postId={id} />
      </details>
    </li>
  );
}
