import { Refine, useTable } from '@refinedev/core';
import { refineAccessControlProvider, refineDataProvider } from 'nestjs-resource-api/refine';
import { type FormEvent, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { client, session } from './api.js';

interface Task {
  readonly id: number;
  readonly title: string;
  readonly project: { readonly name: string };
}

/** A table of tasks, without a library of components. */
function Tasks() {
  const { tableQuery, result, sorters, setSorters, setFilters, currentPage, pageCount, setCurrentPage } = useTable<Task>({
    resource: 'task',
    pagination: { pageSize: 10 },
    sorters: { initial: [{ field: 'id', order: 'asc' }] },
    meta: { include: { project: true } },
  });
  const isDescending = sorters[0]?.order === 'desc';
  return (
    <main>
      <h1>Tasks</h1>
      <input
        placeholder="Title contains"
        onChange={({ target }) => {
          setFilters([{ field: 'title', operator: 'contains', value: target.value }]);
        }}
      />
      <button
        onClick={() => {
          setSorters([{ field: 'title', order: isDescending ? 'asc' : 'desc' }]);
        }}
      >
        Sort by title
      </button>
      {tableQuery.error && <p role="alert">{tableQuery.error.message}</p>}
      <ul>
        {result.data.map(({ id, title, project }) => (
          <li key={id}>
            {title} ({project.name})
          </li>
        ))}
      </ul>
      <p>
        {result.total ?? 0} tasks, page {currentPage} of {pageCount}
      </p>
      <button
        disabled={currentPage >= pageCount}
        onClick={() => {
          setCurrentPage(currentPage + 1);
        }}
      >
        Next
      </button>
    </main>
  );
}

function App() {
  const [token, setToken] = useState(session.token);
  const logIn = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    session.logIn(String(new FormData(event.currentTarget).get('token')).trim());
    setToken(session.token);
  };
  if (token === null) {
    return (
      <form onSubmit={logIn}>
        <input name="token" placeholder="Token" required />
        <button>Log in</button>
      </form>
    );
  }
  return (
    <Refine
      dataProvider={refineDataProvider(client)}
      accessControlProvider={refineAccessControlProvider(client)}
      resources={[{ name: 'task', list: '/' }]}
      options={{ disableTelemetry: true }}
    >
      <Tasks />
    </Refine>
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('refine.html has no #root.');

createRoot(root).render(<App />);
