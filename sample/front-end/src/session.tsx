import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { InvalidationOptions } from 'nestjs-resource-api/tanstack-query';
import { retryOptions } from 'nestjs-resource-api/tanstack-query';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { browserSchema } from '../../blog/src/generated/browser-schema.js';
import { type Api, createApi } from './api.js';

/** The user of the page, and the calls in the name of that user. */
export interface Session {
  readonly api: Api;
  readonly userId: number | undefined;
  /** For mutations: they make the queries out of date that reach what they write. */
  readonly invalidation: InvalidationOptions;
}

const SessionContext = createContext<Session | undefined>(undefined);

interface Props {
  readonly userId: number | undefined;
  readonly children: ReactNode;
}

/** Each user has a separate cache, because other rows are visible to each. */
export function SessionProvider({ userId, children }: Props) {
  const [session, queryClient] = useMemo(() => createSession(userId), [userId]);
  return (
    // The key: a mounted query stays with the cache that it began with.
    <QueryClientProvider key={userId} client={queryClient}>
      <SessionContext value={session}>{children}</SessionContext>
    </QueryClientProvider>
  );
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (session) return session;
  throw new Error('useSession is for what is below SessionProvider.');
}

function createSession(userId: number | undefined): readonly [Session, QueryClient] {
  const queryClient = new QueryClient({ defaultOptions: { queries: retryOptions } });
  return [{ api: createApi(userId), userId, invalidation: { queryClient, schema: browserSchema } }, queryClient];
}
