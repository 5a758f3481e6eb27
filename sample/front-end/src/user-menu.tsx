import { useQuery } from '@tanstack/react-query';
import { queryOptions } from 'nestjs-resource-api/tanstack-query';
import { useSession } from './session.js';

interface Props {
  readonly onChange: (userId: number | undefined) => void;
}

/** Chooses the user of the page: the sample's server trusts the header `X-User-Id`. */
export function UserMenu({ onChange }: Props) {
  const { api, userId } = useSession();
  const users = useQuery(queryOptions(api.user.findMany({ select: { id: true, name: true, role: true }, orderBy: { id: 'asc' } })));
  return (
    <label className="user">
      You are
      <select
        value={userId ?? ''}
        onChange={({ target }) => {
          onChange(target.value === '' ? undefined : Number(target.value));
        }}
      >
        <option value="">an anonymous reader</option>
        {users.data?.map(({ id, name, role }) => (
          <option key={id} value={id}>
            {name} ({role.toLowerCase()})
          </option>
        ))}
      </select>
    </label>
  );
}
