import type { Row } from './ids.js';
import type { Selection } from './records.js';

/** What every call takes: the selection, an abort signal, and the version that a write may change. */
export interface CallContext extends Selection {
  readonly signal?: AbortSignal | undefined;
  /** An entity tag (`'"3"'`), or the version itself. */
  readonly etag?: unknown;
}

/** Reads what a call takes from the `meta` of an admin interface. */
export function contextOf(meta: unknown, signal?: AbortSignal): CallContext {
  const { select, include, omit, ids, etag }: CallContext = rowOf(meta);
  return {
    ...(select && { select }),
    ...(include && { include }),
    ...(omit && { omit }),
    ...(ids && { ids }),
    ...(etag !== undefined && { etag }),
    signal,
  };
}

/** Returns an object of an admin interface, whose types have `any` for records, filters and `meta`. Anything else is an empty one. */
export function rowOf(value: unknown): Row {
  return typeof value === 'object' && value !== null ? (value as Row) : {};
}
