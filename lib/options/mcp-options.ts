/** Options of the routes of MCP. */
export interface McpMountOptions {
  /** Path of the endpoint, below Nest's global prefix and version. It must not be empty. @default 'mcp' */
  readonly prefix?: string;
}

/** Options of MCP, an endpoint for AI agents (Model Context Protocol, Streamable HTTP). */
export interface McpOptions extends McpMountOptions {
  /** Whether there are tools that write: `write` and `act`. @default false */
  readonly writes?: boolean;
  /**
   * The origins of web pages that may call the endpoint, e.g. `'https://app.example.com'`. A request of another origin is answered with 403.
   * Requests without the header `Origin` do not come from a browser, and pass.
   * @default none
   */
  readonly allowedOrigins?: readonly string[];
  /** Maximum size of the rows in a result, in bytes of JSON. A larger result is cut, and says so. @default 100_000 */
  readonly maxResultBytes?: number;
  /**
   * Serves the OAuth metadata of the endpoint (RFC 9728), to which the response to a request that a guard answers with 401 refers.
   * @default off
   */
  readonly resourceMetadata?: McpResourceMetadata;
}

/** The OAuth metadata of the endpoint. */
export interface McpResourceMetadata {
  /** Issuer URLs of the authorization servers whose tokens your guards accept. */
  readonly authorizationServers: readonly string[];
  /** The scopes that a client should request. */
  readonly scopes?: readonly string[];
  /**
   * The public URL of the endpoint. Set it where a proxy ends TLS and the platform does not trust its headers.
   * @default protocol and host of the request, and the path of the endpoint
   */
  readonly resource?: string;
}
