import { useState } from 'react';
import { type Filter, Filters } from './filters.js';
import { PostList } from './post-list.js';
import { SessionProvider } from './session.js';
import { UserMenu } from './user-menu.js';

/** The page. */
export function App() {
  const [userId, setUserId] = useState<number>();
  const [filter, setFilter] = useState<Filter>({ text: '' });
  return (
    <SessionProvider userId={userId}>
      <header>
        <h1>The blog</h1>
        <UserMenu onChange={setUserId} />
      </header>
      <main>
        <Filters filter={filter} onChange={setFilter} />
        <PostList filter={filter} />
      </main>
    </SessionProvider>
  );
}
