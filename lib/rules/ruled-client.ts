import type { DataClient, Delegate } from '../data-client/data-client.js';
import { readRows } from './ruled-reads.js';
import { RULED_WRITES } from './ruled-writes.js';
import type { Args, Session } from './session.js';

type Work = (open: DataClient) => Promise<unknown>;

/**
 * The data client of one request, which sees and changes no more than the rules of its caller allow. Whatever calls it is ruled, checks and counts
 * among it.
 */
export function ruledClient(session: Session): DataClient {
  const { client, models } = session;
  return new Proxy(Object.freeze({}), {
    get: (_, name): unknown => {
      if (name === '$transaction') return ruledTransaction(session);
      if (name === '$queryRawUnsafe') return rawQuery(client);
      const model = typeof name === 'string' ? models.get(name) : undefined;
      return model === undefined ? undefined : ruledDelegate(session, model);
    },
  });
}

/** Only what we say ourselves, which is the time that a statement may take. */
function rawQuery(client: DataClient): unknown {
  const query: unknown = Reflect.get(client, '$queryRawUnsafe');
  return typeof query === 'function' ? query.bind(client) : undefined;
}

function ruledTransaction(session: Session): unknown {
  const { client } = session;
  const transaction: unknown = Reflect.get(client, '$transaction');
  if (typeof transaction !== 'function') return undefined;
  const begin = transaction.bind(client) as (work: Work, ...options: readonly object[]) => Promise<unknown>;
  return (work: Work, ...options: readonly object[]) => begin((open) => work(ruledClient({ ...session, client: open })), ...options);
}

const READS: readonly string[] = [
  'findMany',
  'findFirst',
  'findFirstOrThrow',
  'findUnique',
  'findUniqueOrThrow',
  'count',
  'aggregate',
  'groupBy',
];

/** What is neither of these operations does not exist. */
function ruledDelegate(session: Session, model: string): Delegate {
  const reads = READS.map(
    (name) => [name, (args: unknown) => readRows(session, { model, operation: name, args: (args ?? {}) as Args })] as const,
  );
  const writes = [...RULED_WRITES].map(([name, write]) => [name, (args: unknown) => write(session, model, (args ?? {}) as Args)] as const);
  return Object.fromEntries<(args?: unknown) => Promise<unknown>>([...reads, ...writes]);
}
