import type { ResourceModel } from 'nestjs-resource-api';

/** Returns the text that `npm start` prints: the served endpoints, and three requests to try. */
export function describeApi(model: ResourceModel, baseUrl: string): string {
  const rows = model.resources.map(({ type, delegate, actions }) => [`/api/rest/${type}`, `/api/rpc/${delegate}`, [...actions].join(', ')]);
  const head = ['', table([['REST', 'RPC', 'actions'], ...rows]), '', `Swagger UI: ${baseUrl}/docs`, '', 'Try:', ''];
  return [...head, ...examples(baseUrl), ''].join('\n');
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()).join('\n');
}

/** One request a line, ready to be pasted into a POSIX shell. */
function examples(baseUrl: string): readonly string[] {
  const relationships = { post: { data: { type: 'post', id: 1 } }, author: { data: { type: 'user', id: 5 } } };
  const comment = { data: { type: 'comment', attributes: { body: 'Nice!' }, relationships } };
  const query = { where: { published: true }, orderBy: { viewCount: 'desc' }, take: 3, select: { title: true, viewCount: true } };
  return [
    `  curl -g '${baseUrl}/api/rest/post?filter[published]=true&sort=-publishedAt&page[limit]=3&include=author,tags'`,
    `  curl '${baseUrl}/api/rest/comment' -H 'Content-Type: application/vnd.api+json' -d '${JSON.stringify(comment)}' -H 'X-User-Id: 5'`,
    `  curl -G '${baseUrl}/api/rpc/post/findMany' --data-urlencode 'q=${JSON.stringify(query)}'`,
  ];
}
