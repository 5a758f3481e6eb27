import { StreamableFile } from '@nestjs/common';

const MARK = 'nestjs-resource-api';

/**
 * What global interceptors see of an answer: that there is one.
 *
 * For Nest's own it is a file, which `CacheInterceptor` does not keep and `ClassSerializerInterceptor` does not look into. An interceptor that
 * wraps or copies it, and a cache that keeps such a copy as JSON, find nothing in it but a mark, by which the copy is known for one.
 */
export const ANSWERED: StreamableFile = Object.create(StreamableFile.prototype, {
  answeredBy: { value: MARK, enumerable: true },
}) as StreamableFile;

/** Whether a value is {@link ANSWERED} or was made of it, at whatever place an envelope puts it. */
export function isAnswered(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if ((value as { readonly answeredBy?: unknown }).answeredBy === MARK) return true;
  return Object.values(value).some((member) => isAnswered(member, depth + 1));
}

/** Envelopes are shallow. */
const MAX_DEPTH = 3;
