/** The properties that the requests of Express and Fastify have in common. */
export interface PlatformRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
