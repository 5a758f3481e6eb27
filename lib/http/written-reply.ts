import type { ApiReply } from './api-request.js';

/** A body that is created on demand: as a value, or directly as the bytes of its JSON text. */
export interface WrittenBody {
  readonly toJson: () => unknown;
  /** Returns the bytes, or undefined if they exceed `most`. Absent if the bytes can only be made from the value. */
  readonly toBytes?: (most: number) => Uint8Array | undefined;
}

type Head = Pick<ApiReply, 'status' | 'headers' | 'version'>;

const WRITTEN = Symbol('nestjs-resource-api: written body');

/**
 * A reply whose body is created on first access. The accessor is on the prototype, because defining one for each reply would cost more than
 * all else.
 */
class WrittenReply implements ApiReply {
  readonly status: number;
  declare readonly headers?: NonNullable<ApiReply['headers']>;
  declare readonly version?: string;
  #read: { readonly body: unknown } | undefined;
  readonly #written: WrittenBody;

  constructor({ status, headers, version }: Head, written: WrittenBody) {
    this.status = status;
    if (headers) this.headers = headers;
    if (version !== undefined) this.version = version;
    this.#written = written;
  }

  get body(): unknown {
    return (this.#read ??= { body: this.#written.toJson() }).body;
  }

  set body(body: unknown) {
    this.#read = { body };
  }

  get [WRITTEN](): WrittenBody | undefined {
    return this.#read ? undefined : this.#written;
  }
}

/**
 * Creates a reply whose `body` becomes a value on first access. If `body` is never read, the reply is sent as it is serialized. After the
 * first access that value is sent, with any changes to it.
 */
export function writtenReply(head: Head, written: WrittenBody): ApiReply {
  return new WrittenReply(head, written);
}

/** Returns the serialized body of a reply. Returns undefined if `body` has been read or set, and for any other reply. */
export function writtenBody(reply: ApiReply): WrittenBody | undefined {
  const { [WRITTEN]: written }: ApiReply & { readonly [WRITTEN]?: WrittenBody | undefined } = reply;
  return written;
}

/** Copies a reply for interceptors, which may change its members, or copy it by its enumerable properties. */
export function changeableReply(reply: ApiReply): ApiReply {
  const written = writtenBody(reply);
  const { status, headers, version } = reply;
  if (!written) return { ...reply, ...(reply.body !== undefined && { body: reply.body }) };
  const own = new WrittenReply(reply, written);
  return Object.defineProperties(
    { status, ...(headers && { headers }), ...(version !== undefined && { version }) },
    {
      body: {
        get: () => own.body,
        set: (body: unknown) => {
          own.body = body;
        },
        enumerable: true,
        configurable: true,
      },
      [WRITTEN]: { get: () => own[WRITTEN] },
    },
  );
}
