import { useQuery } from '@tanstack/react-query';
import { queryOptions } from 'nestjs-resource-api/tanstack-query';
import { useSession } from './session.js';
import { TagForm } from './tag-form.js';

/** Which posts are listed. */
export interface Filter {
  /** Part of the title. */
  readonly text: string;
  /** Name of a tag. */
  readonly tag?: string;
}

interface Props {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

/** The search and the tags above the list. */
export function Filters({ filter, onChange }: Props) {
  const { api } = useSession();
  const tags = useQuery(queryOptions(api.tag.findMany({ orderBy: { name: 'asc' } })));
  return (
    <section className="filters">
      <input
        type="search"
        placeholder="Search the titles"
        aria-label="Search the titles"
        value={filter.text}
        onChange={({ target }) => {
          onChange({ ...filter, text: target.value });
        }}
      />
      <div className="tags">
        {tags.data?.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            aria-pressed={name === filter.tag}
            onClick={() => {
              onChange(name === filter.tag ? { text: filter.text } : { ...filter, tag: name });
            }}
          >
            {name}
          </button>
        ))}
        <TagForm />
      </div>
    </section>
  );
}
