import type { ApiReply } from './api-request.js';

/** A body that is made when it is asked for: as a value, or at once as the bytes of its JSON text. */
export interface WrittenBody {
  readonly toJson: () => unknown;
  /** Undefined where they are more than so many. The function is absent where it takes the value to make them. */
  readonly toBytes?: (most: number) => Uint8Array | undefined;
}

type Head = Pick<ApiReply, 'status' | 'headers' | 'version'>;

const WRITTEN = Symbol('nestjs-resource-api: written body');

/** Its members are not its own: to define an accessor for each answer costs more than the rest of it. */
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
 * A reply whose `body` is parsed when something reads it. From then on it is that value, with any changes to it; a reply whose body nothing has
 * looked at is sent as it is written.
 */
export function writtenReply(head: Head, written: WrittenBody): ApiReply {
  return new WrittenReply(head, written);
}

/** How the body of a reply is written; undefined for one that was looked at, and for any other reply. */
export function writtenBody(reply: ApiReply): WrittenBody | undefined {
  const { [WRITTEN]: written }: ApiReply & { readonly [WRITTEN]?: WrittenBody | undefined } = reply;
  return written;
}

/** A reply of its own for interceptors, which may change it, and may copy it by its members. */
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
