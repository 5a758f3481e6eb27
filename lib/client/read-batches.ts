import { abortable } from './retry.js';
import type { RpcHeaders } from './rpc-client-options.js';
import { type BatchedRead, type SentRead, sendReads } from './send-reads.js';

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
