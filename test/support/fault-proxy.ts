import { connect, createServer, type Server, type Socket } from 'node:net';

/** The two ways of the bytes between a client and its server. */
export type Way = 'to the server' | 'to the client';

/** Where a connection breaks off: after so many bytes of one way, counted from the call of {@link FaultProxy.count}. */
export interface Cut {
  readonly way: Way;
  readonly after: number;
}

/** When a connection is cut, counted from a message of the client. */
export type Moment = 'before the message' | 'before its answer' | 'in its answer';

/** Cuts the connections whose client sends a message that contains a text. */
export interface PhaseCut {
  readonly text: string;
  readonly moment: Moment;
  /** One of so many such messages is cut. */
  readonly oneIn: number;
}

/** A proxy between a client and a PostgreSQL server, which disturbs their connections. */
export class FaultProxy {
  #cut: Cut | undefined;
  /** Bytes that have passed on the way of the cut. */
  #passed = 0;
  /** Whether there was a cut since {@link count}. */
  isCut = false;

  /** Cuts connections at a phase of their work. */
  phase: PhaseCut | undefined;
  /** Connections that {@link phase} has cut. */
  phaseCuts = 0;
  #matches = 0;

  /** Connections that are open since then receive nothing more, and neither do new ones, until the blackhole ends. Those stay dead. */
  #isBlackhole = false;
  readonly #pairs = new Set<Pair>();

  /** Whether new connections are closed at once. */
  refuses = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => {
      if (this.refuses) {
        client.destroy();
        return;
      }
      const pair: Pair = { client, upstream: this.#connect(), isDead: this.#isBlackhole, answer: undefined };
      this.#pairs.add(pair);
      client.on('close', () => this.#pairs.delete(pair));
      this.#forward('to the server', pair);
      this.#forward('to the client', pair);
    });
  }

  static async before(connectionString: string): Promise<FaultProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FaultProxy(server, new URL(connectionString));
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

  /** Drops all bytes from now on, as a firewall does that has lost its table of connections. */
  set blackhole(isBlackhole: boolean) {
    this.#isBlackhole = isBlackhole;
    if (isBlackhole) for (const pair of this.#pairs) pair.isDead = true;
  }

  async close(): Promise<void> {
    for (const { client, upstream } of this.#pairs) for (const socket of [client, upstream]) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #connect(): Socket {
    return connect({ host: this.target.hostname, port: Number(this.target.port || 5432) });
  }

  /** Passes on the bytes before a cut, and closes the other side of a closed connection. */
  #forward(way: Way, pair: Pair): void {
    const [from, to] = way === 'to the server' ? [pair.client, pair.upstream] : [pair.upstream, pair.client];
    from.on('error', () => to.destroy());
    from.on('end', () => to.end());
    from.on('data', (bytes: Buffer) => {
      if (pair.isDead) return;
      const rest = this.#rest(way, bytes, pair);
      if (bytes.length < rest) return void to.write(bytes);
      to.end(bytes.subarray(0, rest));
      from.destroy();
    });
  }

  /** Returns how many bytes pass before a cut; Infinity without a cut. */
  #rest(way: Way, bytes: Buffer, pair: Pair): number {
    const rest = this.#cut?.way === way ? this.#cut.after - this.#passed : Infinity;
    if (this.#cut?.way === way) this.#passed += bytes.length;
    if (bytes.length >= rest) {
      this.#cut = undefined;
      this.isCut = true;
      return rest;
    }
    return way === 'to the server' ? this.#beforeMessage(bytes, pair) : this.#inAnswer(bytes, pair);
  }

  #beforeMessage(bytes: Buffer, pair: Pair): number {
    const { phase } = this;
    if (!phase || !bytes.includes(phase.text) || this.#matches++ % phase.oneIn !== 0) return Infinity;
    if (phase.moment !== 'before the message') {
      pair.answer = phase.moment;
      return Infinity;
    }
    this.phaseCuts++;
    return 0;
  }

  #inAnswer(bytes: Buffer, { answer }: Pair): number {
    if (answer === undefined) return Infinity;
    this.phaseCuts++;
    return answer === 'in its answer' ? Math.floor(bytes.length / 2) : 0;
  }
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  isDead: boolean;
  /** Set once the client has sent a message whose answer is cut. */
  answer: Exclude<Moment, 'before the message'> | undefined;
}
