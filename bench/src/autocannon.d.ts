declare module 'autocannon' {
  namespace autocannon {
    interface Options {
      readonly url: string;
      readonly connections: number;
      /** Requests. */
      readonly amount: number;
      /** Milliseconds after which it looks whether all are answered. */
      readonly sampleInt: number;
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** Called for each connection. */
      readonly setupClient?: (client: Client) => void;
    }
    interface Client {
      readonly setRequests: (requests: readonly ClientRequest[]) => void;
    }
    interface ClientRequest extends Pick<Options, 'method' | 'headers' | 'body'> {
      readonly path: string;
    }
    interface Result {
      readonly requests: { readonly total: number };
      readonly non2xx: number;
      readonly errors: number;
      readonly timeouts: number;
    }
  }
  function autocannon(options: autocannon.Options): Promise<autocannon.Result>;
  export = autocannon;
}
