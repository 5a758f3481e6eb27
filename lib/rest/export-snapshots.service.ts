import { Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { openSnapshot } from '../run/snapshot.js';
import type { ApiRequest, DataLayerRequest } from '../http/api-request.js';
import { once } from '../utils/memoize-by-object.js';
import type { SnapshotSettings } from '../options/rest-settings.js';

/** An open snapshot: its client, and the functions that read in it and end it. */
export interface OpenSnapshot {
  readonly asking: DataLayerRequest;
  /**
   * Reads in the snapshot.
   *
   * @throws ApiError `unavailable` if the snapshot has ended meanwhile, because the last read may have run outside of it
   */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
  /** Returns the same chunks, and ends the snapshot after the last one, after an error, or when the client stops reading. */
  readonly until: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  readonly end: () => Promise<void>;
}

/**
 * Opens the snapshots of exports (SE-05). Each snapshot occupies a connection, and prevents PostgreSQL from removing old row versions. Therefore
 * their number and their duration are limited.
 */
@Injectable()
export class ExportSnapshots {
  private held = 0;

  /** @throws ApiError `unavailable` if too many snapshots are open; ConfigurationError for a client without snapshots */
  async open(request: ApiRequest, { max, maxDuration }: SnapshotSettings): Promise<OpenSnapshot> {
    if (this.held >= max) throw tooMany(max);
    this.held++;
    const free = once(() => {
      this.held--;
    });
    try {
      // Prisma's timeout comes later, so that the error names this limit.
      const snapshot = await openSnapshot(await request.client(), maxDuration + 1000);
      let isOver = false;
      let reading: Promise<unknown> | undefined;
      const end = once(async () => {
        clearTimeout(timer);
        isOver = true;
        // Statements that are sent after COMMIT run outside of the snapshot, without an error.
        await reading;
        await snapshot.end();
        free();
      });
      const timer = setTimeout(() => void end(), maxDuration);
      const requireOpen = (): void => {
        if (isOver) throw tooLong(maxDuration);
      };
      const client = (): Promise<object> => (isOver ? Promise.reject(tooLong(maxDuration)) : Promise.resolve(snapshot.client));
      const read: OpenSnapshot['read'] = async (work) => {
        requireOpen();
        const result = work();
        reading = result.catch(() => undefined);
        await reading;
        requireOpen();
        return result;
      };
      return { asking: snapshotCaller(request, client), read, until: (chunks) => endingWith(chunks, read, end), end };
    } catch (error) {
      free();
      throw error;
    }
  }
}

function snapshotCaller(apiRequest: ApiRequest, client: DataLayerRequest['client']): DataLayerRequest {
  const { request, visibleModel, tally } = apiRequest;
  return {
    client,
    isGone: () => apiRequest.isGone?.() === true,
    ...(request && { request }),
    ...(visibleModel && { visibleModel }),
    tally,
  };
}

/** Returns chunks that end the snapshot. It is an iterator, because a generator that has not started would not run its `finally` on `return()`. */
function endingWith(chunks: AsyncIterable<Uint8Array>, read: OpenSnapshot['read'], end: () => Promise<void>): AsyncIterable<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    try {
      const result = await read(() => iterator.next());
      if (result.done === true) await end();
      return result;
    } catch (error) {
      await end();
      throw error;
    }
  };
  const giveUp = async (): Promise<IteratorResult<Uint8Array>> => {
    await end();
    await iterator.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: giveUp }) };
}

function tooMany(max: number): ApiError {
  const detail = `There are ${max} exports from snapshots already (rest.export.snapshot.max). Try again later, or leave out 'Prefer: snapshot'.`;
  return new ApiError('unavailable', detail, { headers: { 'Retry-After': '10' }, source: { header: 'Prefer' } });
}

function tooLong(maxDuration: number): ApiError {
  return new ApiError('unavailable', `An export from a snapshot may take ${maxDuration} ms (rest.export.snapshot.maxDuration).`);
}
