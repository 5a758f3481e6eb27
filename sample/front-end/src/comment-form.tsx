import { useMutation } from '@tanstack/react-query';
import { mutationOptions } from 'nestjs-resource-api/tanstack-query';
import { describeError } from './api.js';
import { useSession } from './session.js';

/** Writes a comment as the chosen user; the list of posts, which includes comments, is fetched again by that. */
export function CommentForm({ postId }: { readonly postId: number }) {
  const { api, userId, invalidation } = useSession();
  const create = useMutation(
    mutationOptions((body: string) => api.comment.create({ data: { body, postId, authorId: userId ?? null } }), invalidation),
  );
  return (
    <form
      className="comment-form"
      action={(data) => {
        create.mutate(data.get('body') as string);
      }}
    >
      <input name="body" required placeholder="Write a comment" aria-label="Write a comment" />
      <button type="submit" disabled={create.isPending}>
        Send
      </button>
      {create.isError && <p role="alert">{describeError(create.error)}</p>}
    </form>
  );
}
