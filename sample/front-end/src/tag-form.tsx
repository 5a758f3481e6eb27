import { useMutation } from '@tanstack/react-query';
import { mutationOptions } from 'nestjs-resource-api/tanstack-query';
import { describeError } from './api.js';
import { useSession } from './session.js';

/** Adds a tag; its name is unique, and authors alone may. */
export function TagForm() {
  const { api, invalidation } = useSession();
  const create = useMutation(mutationOptions((name: string) => api.tag.create({ data: { name } }), invalidation));
  return (
    <form
      className="tag-form"
      action={(data) => {
        create.mutate(data.get('name') as string);
      }}
    >
      <input name="name" required placeholder="New tag" aria-label="New tag" />
      <button type="submit">Add</button>
      {create.isError && <p role="alert">{describeError(create.error)}</p>}
    </form>
  );
}
