import { connect, createServer, type Server, type Socket } from 'node:net';

/** The two ways of the bytes between a client and its server. */
export type Way = 'to the server' | 'to the client';

/** Where a connection breaks off: after so many bytes of one way, from when it was asked for. */
export interface Cut {
  readonly way: Way;
  readonly after: number;
}

/** Stands between a client and a PostgreSQL server, and breaks connections off. */
export class CutConnection {
  #cut: Cut | undefined;
  /** Bytes that have passed on the way of the cut. */
  #passed = 0;
  /** Whether there was a cut since {@link count}. */
  isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => {
      const upstream = connect({ host: target.hostname, port: Number(target.port || 5432) });
      this.#forward('to the server', client, upstream);
      this.#forward('to the client', upstream, client);
    });
  }

  static async before(connectionString: string): Promise<CutConnection> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CutConnection(server, new URL(connectionString));
  }

  /** What the client connects to. */
  get connectionString(): string {
    const address = this.server.address();
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(typeof address === 'object' && address?.port);
    return url.href;
  }

  /** Counts bytes from now on, and breaks off once so many have passed. */
  count(cut?: Cut): void {
    this.#passed = 0;
    this.#cut = cut;
    this.isCut = false;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What has arrived before the cut is passed on, and each side sees the end of the other. */
  #forward(way: Way, from: Socket, to: Socket): void {
    from.on('error', () => to.destroy());
    from.on('end', () => to.end());
    from.on('data', (bytes: Buffer) => {
      const rest = this.#cut?.way === way ? this.#cut.after - this.#passed : Infinity;
      if (this.#cut?.way === way) this.#passed += bytes.length;
      if (bytes.length < rest) return void to.write(bytes);
      this.#cut = undefined;
      this.isCut = true;
      to.end(bytes.subarray(0, rest));
      from.destroy();
    });
  }
}
