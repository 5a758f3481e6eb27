import { abortable, allAborted } from './retry.js';
import type { RpcHeaders } from './rpc-client-options.js';
import type { BatchedRead } from './connection.js';
import { RpcClientError } from './rpc-client-error.js';
import { sendCalls } from './send-batch.js';
import { sendRequest } from './send-request.js';

/** Collects the reads of a client that are made in one tick, and sends those with the same headers as one request. */
export class ReadBatches {
  /**
   * The waiting reads by their list of headers, which is the same array until `$with` adds headers. Connections are no key, because TanStack Query
   * gives each call its own signal, and so its own connection.
   */
  private waiting = new Map<readonly RpcHeaders[], SentRead[]>();

  /** @param maxSize the largest number of reads in one request */
  constructor(private readonly maxSize: number) {}

  /** Returns the result of this read, or rejects with its error. Rejects at once when the signal aborts. */
  add(read: BatchedRead): Promise<unknown> {
    const { headers, signal } = read.connection;
    const result = new Promise((resolve, reject) => {
      if (this.waiting.size === 0)
        setTimeout(() => {
          this.flush();
        });
      const group = this.waiting.get(headers) ?? [];
      this.waiting.set(headers, group);
      group.push({ ...read, resolve, reject });
    });
    return abortable(result, signal);
  }

  private flush(): void {
    const groups = [...this.waiting.values()];
    this.waiting = new Map();
    for (const group of groups) {
      const reads = group.filter(({ connection }) => !connection.signal?.aborted);
      for (let start = 0; start < reads.length; start += this.maxSize) void sendReads(reads.slice(start, start + this.maxSize));
    }
  }
}

/** A read with the functions that settle its promise. */
export interface SentRead extends BatchedRead {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Sends reads with the same headers as one request; a single read is sent alone. If the server rejects the batch, each read is sent again alone. A
 * read must not fail because of the other reads, or because of the total cost of the batch.
 */
export async function sendReads(reads: readonly SentRead[]): Promise<void> {
  const [first, second] = reads;
  if (!first || !second) {
    sendSingly(reads);
    return;
  }
  try {
    const results = await sendTogether(reads, first);
    for (const [index, { resolve }] of reads.entries()) resolve(results[index]);
  } catch (error) {
    if (isRefusal(error)) sendSingly(reads);
    else for (const { reject } of reads) reject(error);
  }
}

/** Whether the server rejected the batch with a status below 500. 429 is excluded, because sending each read alone would cause more requests. */
function isRefusal(error: unknown): boolean {
  return error instanceof RpcClientError && error.status < 500 && error.status !== 429;
}

function sendSingly(reads: readonly SentRead[]): void {
  for (const { connection, request, resolve, reject } of reads) {
    if (!connection.signal?.aborted) void sendRequest(connection, request).then(resolve, reject);
  }
}

/** Sends reads as one batch. The request is aborted when all of its reads are aborted. */
async function sendTogether(reads: readonly SentRead[], { connection }: SentRead): Promise<readonly unknown[]> {
  const answered = new AbortController();
  const signals = reads.map((read) => read.connection.signal);
  const specs = reads.map(({ spec }) => spec);
  try {
    return await sendCalls({ ...connection, signal: allAborted(signals, answered.signal) }, specs);
  } finally {
    answered.abort();
  }
}
