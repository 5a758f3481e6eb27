import type { Limits } from '../../model/limits.js';
import type { Surface } from '../../model/surface/surface.js';
import type { ApiReply } from '../../http/api-request.js';
import type { McpSettings } from '../../options/mcp-settings.js';
import type { Params } from '../protocol/read-message.js';

/** A tool of the server: a call of it is one request of RPC. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Whether the tool exists only with the option `writes`. */
  readonly writes: boolean;
  /**
   * Returns the JSON Schemas of the arguments by name, for the surface of one caller. Undefined if that caller can call the tool for no model.
   */
  readonly inputs: (surface: Surface) => Inputs | undefined;
  /** Converts the arguments of a call. @throws ApiError for invalid ones */
  readonly toRpc: (args: Params, context: ToolContext) => RpcTarget;
  /** Renders the data of RPC's reply. */
  readonly render: (data: unknown, args: Params, context: ToolContext) => ToolOutput;
}

/** What the tools depend on, fixed at boot. */
export interface ToolContext extends Pick<McpSettings, 'writes' | 'maxResultBytes'> {
  readonly limits: Limits;
}

/** Hints for clients: how much a call of the tool may change. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The arguments of a tool. */
export interface Inputs {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** A request of RPC, as its endpoint reads it. */
export interface RpcTarget {
  /** The name of an endpoint of RPC. */
  readonly endpoint: 'operation' | 'sequential' | 'describe' | 'describeModel';
  readonly params: Readonly<Record<string, string>>;
  readonly method: 'GET' | 'QUERY' | 'POST';
  /** Absent for a request without an argument. */
  readonly body?: unknown;
  /** Whether the writes are rolled back. */
  readonly isDryRun?: true;
  /** Checks the results of a batch before its commit. @throws ApiError, and then nothing is written */
  readonly checkBeforeCommit?: (reply: ApiReply) => void;
}

/** The result of a tool. */
export interface ToolOutput {
  /** One sentence or two. */
  readonly summary: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The annotations of the tools that read. */
export const READS: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
