/** The role of requests that policies restrict. Only these suites use its name, because roles belong to the whole server. */
export const ROLE = 'row_rules_caller';

/** The caller's id, in SQL. */
export const CALLER = `nullif(current_setting('app.user_id', true), '')::int`;

/** Rules as policies of PostgreSQL. */
export interface Policies {
  /** By table: read, create, update before and after, delete. */
  readonly tables: Readonly<Record<string, Partial<Record<'select' | 'insert' | 'using' | 'check' | 'delete', string>>>>;
  /** Functions with which policies read all rows of other tables, as rules do. By name: the parameters and type, and the query. */
  readonly functions?: Readonly<Record<string, readonly [signature: string, query: string]>>;
}

/** `rules.ts` in SQL. */
export const POLICIES: Policies = {
  tables: {
    Post: {
      select: `published OR "authorId" = ${CALLER}`,
      insert: `"authorId" = ${CALLER}`,
      using: `"authorId" = ${CALLER}`,
      delete: `"authorId" = ${CALLER}`,
    },
    Comment: {
      select: `"authorId" IS NULL OR "authorId" <= 3 OR "authorId" = ${CALLER}`,
      insert: `"authorId" = ${CALLER}`,
      using: `"authorId" = ${CALLER}`,
      check: `"authorId" = ${CALLER} AND body <> 'forbidden'`,
      delete: `"authorId" = ${CALLER}`,
    },
    User: { select: `locale <> 'de' OR id = ${CALLER}`, using: `id = ${CALLER}` },
    Category: { select: `"parentId" <> 1`, insert: 'true', using: 'true', check: `name <> 'forbidden'` },
    Profile: { select: `bio LIKE '%bug%'`, insert: 'true', using: `"userId" = ${CALLER}`, delete: `"userId" = ${CALLER}` },
    Tag: { select: 'true', insert: `${CALLER} IS NOT NULL` },
  },
};

/** The client of any schema. */
interface RawClient {
  $executeRawUnsafe(sql: string): PromiseLike<number>;
}

/** Drops the policies, because several suites may use the database. */
export async function removePolicies(prisma: RawClient, { tables, functions = {} } = POLICIES): Promise<void> {
  for (const [table, policies] of Object.entries(tables)) {
    for (const command of Object.keys(policies)) await prisma.$executeRawUnsafe(dropping(table, command));
    await prisma.$executeRawUnsafe(`ALTER TABLE "${table}" DISABLE ROW LEVEL SECURITY`);
  }
  for (const name of Object.keys(functions)) await prisma.$executeRawUnsafe(`DROP FUNCTION IF EXISTS ${name}`);
}

/** Returns the statement that drops a policy by its name in {@link Policies}. `check` belongs to another one. */
function dropping(table: string, command: string): string {
  const name = command === 'using' || command === 'check' ? 'UPDATE' : command.toUpperCase();
  return `DROP POLICY IF EXISTS "${name}" ON "${table}"`;
}

/** The statements that create {@link ROLE}, and let it read and write all tables. */
export const GRANTS: readonly string[] = [
  `DO $$ BEGIN CREATE ROLE ${ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  `GRANT USAGE ON SCHEMA public TO ${ROLE}`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE}`,
  `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${ROLE}`,
];

/** Creates the policies for {@link ROLE}. A superuser bypasses them. */
export async function installPolicies(prisma: RawClient, { tables, functions = {} } = POLICIES): Promise<void> {
  const statements = [
    ...GRANTS,
    ...Object.entries(functions).map(([name, [signature, query]]) => {
      return `CREATE FUNCTION ${name}${signature} LANGUAGE sql STABLE SECURITY DEFINER AS $$ ${query} $$`;
    }),
    ...Object.entries(tables).flatMap(([table, policies]) => statementsOf(table, policies)),
  ];
  for (const statement of statements) await prisma.$executeRawUnsafe(statement);
}

function statementsOf(table: string, { select, insert, using, check, delete: remove }: Policies['tables'][string]): readonly string[] {
  const policy = (command: string, condition: string): string => {
    return `CREATE POLICY "${command}" ON "${table}" FOR ${command} TO ${ROLE} ${condition}`;
  };
  return [
    `ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY`,
    ...(select ? [policy('SELECT', `USING (${select})`)] : []),
    ...(insert ? [policy('INSERT', `WITH CHECK (${insert})`)] : []),
    ...(using ? [policy('UPDATE', `USING (${using}) WITH CHECK (${check ?? using})`)] : []),
    ...(remove ? [policy('DELETE', `USING (${remove})`)] : []),
  ];
}
