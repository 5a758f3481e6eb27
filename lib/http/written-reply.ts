import { constants } from 'node:buffer';
import { ApiError } from '../errors/api-error.js';
import type { ApiReply } from './api-request.js';

/** Writes a body as the bytes of its JSON text. Returns undefined if they exceed the given number. */
export type WriteBody = (maxBytes: number) => Uint8Array | undefined;

type Head = Pick<ApiReply, 'status' | 'headers' | 'version'>;

const WRITE_BODY = Symbol('nestjs-resource-api: write body');

/**
 * A reply whose body is written when it is sent. On first access to `body`, its text is parsed.
 *
 * The accessor is on the prototype, because defining one for each reply would cost more than all else.
 */
class WrittenReply implements ApiReply {
  readonly status: number;
  declare readonly headers?: NonNullable<ApiReply['headers']>;
  declare readonly version?: string;
  #read: { readonly body: unknown } | undefined;
  readonly #write: WriteBody;

  constructor({ status, headers, version }: Head, write: WriteBody) {
    this.status = status;
    if (headers) this.headers = headers;
    if (version !== undefined) this.version = version;
    this.#write = write;
  }

  get body(): unknown {
    return (this.#read ??= { body: parse(this.#write(constants.MAX_STRING_LENGTH)) }).body;
  }

  set body(body: unknown) {
    this.#read = { body };
  }

  get [WRITE_BODY](): WriteBody | undefined {
    return this.#read ? undefined : this.#write;
  }
}

function parse(bytes: Uint8Array | undefined): unknown {
  if (bytes) return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  throw new ApiError('limit-exceeded', 'The response is longer than a string may be. Request fewer rows or fields.');
}

/**
 * Creates a reply whose `body` becomes a value on first access. If `body` is never read, the reply is sent as it is serialized. After the
 * first access that value is sent, with any changes to it.
 *
 * Reading `body` throws an ApiError `limit-exceeded` if its text is longer than a string of V8 may be.
 */
export function writtenReply(head: Head, write: WriteBody): ApiReply {
  return new WrittenReply(head, write);
}

/** Returns the function that writes the body of a reply. Returns undefined if `body` has been read or set, and for any other reply. */
export function bodyWriterOf(reply: ApiReply): WriteBody | undefined {
  const { [WRITE_BODY]: written }: ApiReply & { readonly [WRITE_BODY]?: WriteBody | undefined } = reply;
  return written;
}

/** Copies a reply for interceptors, which may change its members, or copy it by its enumerable properties. */
export function changeableReply(reply: ApiReply): ApiReply {
  const written = bodyWriterOf(reply);
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
      [WRITE_BODY]: { get: () => own[WRITE_BODY] },
    },
  );
}
