const TEXTS = {
  client: {
    name: 'data client',
    cost: 'a read through Prisma takes three statements more, and a write one',
    made: 'new PrismaPg({ connectionString',
  },
  pool: { name: 'pool of withSqlReads', cost: 'a read runs in a transaction that sets it', made: 'new Pool({ connectionString' },
} as const;

/** What connections without a sufficient `statement_timeout` cost, and how to set it. */
export function untimedText(connections: keyof typeof TEXTS, limit: number): string {
  const { name, cost, made } = TEXTS[connections];
  return (
    `The connections of the ${name} have no statement_timeout of at most ${limit} ms (limits.maxDuration). ` +
    `Without it, ${cost}. Set it where they are made: ${made}, statement_timeout: ${limit} }).`
  );
}
