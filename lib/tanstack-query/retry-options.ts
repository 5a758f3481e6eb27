import { RpcClientError } from '../client/rpc-client-error.js';

/**
 * When a query is worth another attempt: after network failures and 5xx, three times, and as late as the server asks for. What a client did wrong stays
 * wrong; TanStack Query's default is three more attempts.
 *
 * @example
 * new QueryClient({ defaultOptions: { queries: retryOptions } });
 */
export const retryOptions = {
  retry: (failures: number, error: unknown): boolean => failures < 3 && !(error instanceof RpcClientError && error.status < 500),
  /** Milliseconds: 1 s, 2 s, 4 s, unless `Retry-After` says more. */
  retryDelay: (failures: number, error: unknown): number => {
    const asked = error instanceof RpcClientError ? (error.retryAfter ?? 0) : 0;
    return Math.max(1000 * 2 ** failures, 1000 * asked);
  },
} as const;
