import type { ApiReply } from './api-request.js';

/** A body that is made when it is asked for: as a value, or at once as the bytes of its JSON text. */
export interface WrittenBody {
  readonly toJson: () => unknown;
  /** Undefined where they are more than so many. The function is absent where it takes the value to make them. */
  readonly toBytes?: (most: number) => Uint8Array | undefined;
}

const WRITTEN = Symbol('nestjs-resource-api: written body');

/**
 * A reply whose `body` is parsed when something reads it. From then on it is that value, with any changes to it; a reply whose body nothing has
 * looked at is sent as it is written.
 */
export function writtenReply(head: Pick<ApiReply, 'status' | 'headers'>, written: WrittenBody): ApiReply {
  let read: { readonly body: unknown } | undefined;
  return Object.defineProperties(head, {
    body: {
      get: () => (read ??= { body: written.toJson() }).body,
      set: (body: unknown) => {
        read = { body };
      },
      enumerable: true,
      configurable: true,
    },
    [WRITTEN]: { get: () => (read ? undefined : written) },
  });
}

/** How the body of a reply is written; undefined for one that was looked at, and for any other reply. */
export function writtenBody(reply: ApiReply): WrittenBody | undefined {
  return (reply as { readonly [WRITTEN]?: WrittenBody })[WRITTEN];
}
