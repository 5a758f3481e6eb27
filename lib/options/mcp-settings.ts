import type { McpResourceMetadata } from './mcp-options.js';

/** The options of MCP with their defaults filled in, frozen at boot. */
export interface McpSettings {
  /** Whether the tools that write exist. */
  readonly writes: boolean;
  /** The origins of web pages that may call the endpoint. */
  readonly allowedOrigins: readonly string[];
  /** Maximum size of the rows in a result, in bytes of JSON. */
  readonly maxResultBytes: number;
  /** Undefined where the endpoint has no OAuth metadata. */
  readonly resourceMetadata?: McpResourceMetadata;
}
