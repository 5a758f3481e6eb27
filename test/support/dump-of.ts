/** All that tables hold, as one text. */
export async function dumpOf(
  client: { $queryRawUnsafe: (sql: string) => PromiseLike<unknown> },
  tables: readonly string[],
): Promise<string> {
  const rows = tables.map((name) => `(SELECT json_agg(to_json(t) ORDER BY to_json(t)::text)::text FROM "${name}" t) AS "${name}"`);
  return JSON.stringify(await client.$queryRawUnsafe(`SELECT ${rows.join(', ')}`));
}
