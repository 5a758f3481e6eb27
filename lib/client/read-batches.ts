import { abortable, allAborted } from './retry.js';
import type { RpcHeaders } from './rpc-client-options.js';
import type { BatchedRead } from './connection.js';
import { RpcClientError } from './rpc-client-error.js';
import { sendCalls } from './send-batch.js';
import { sendRequest } from './send-request.js';

/** Gathers the reads of a client that are made in one tick, and sends those with the same headers as one request. */
export class ReadBatches {
  /**
   * By the list of their headers, which a client keeps until `$with` adds to it. Not by their connections: TanStack Query gives each call a
   * signal of its own, and so a connection.
   */
  private waiting = new Map<readonly RpcHeaders[], SentRead[]>();

  /** @param maxSize most reads in one request */
  constructor(private readonly maxSize: number) {}

  /** Gives the read's own result, or what it fails with; at once, when its signal aborts. */
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

/** One whose caller waits for it. */
export interface SentRead extends BatchedRead {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Sends reads with the same headers as one request; a single one as itself. Where the server refuses them together, each is sent once more by
 * itself: it must not fail for its neighbours, nor for what they cost in sum.
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

/** Not "too many requests": more of them would be no answer to that. */
function isRefusal(error: unknown): boolean {
  return error instanceof RpcClientError && error.status < 500 && error.status !== 429;
}

function sendSingly(reads: readonly SentRead[]): void {
  for (const { connection, request, resolve, reject } of reads) {
    if (!connection.signal?.aborted) void sendRequest(connection, request).then(resolve, reject);
  }
}

/** The request is aborted when the last of its reads is. */
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
