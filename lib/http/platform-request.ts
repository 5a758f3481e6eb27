/** What Express' and Fastify's requests have in common. */
export interface PlatformRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
