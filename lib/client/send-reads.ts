import { allAborted } from './retry.js';
import type { RpcRequest } from './build-request.js';
import type { CallSpec } from './call-spec.js';
import type { Connection } from './connection.js';
import { RpcClientError } from './rpc-client-error.js';
import { sendCalls } from './send-batch.js';
import { sendRequest } from './send-request.js';

/** A read that may travel together with others. */
export interface BatchedRead {
  readonly spec: CallSpec;
  readonly connection: Connection;
  /** As it is sent by itself. */
  readonly request: RpcRequest;
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
