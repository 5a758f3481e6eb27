/** The styles of API that a mount can serve. */
export type ApiStyle = 'rest' | 'rpc' | 'mcp';

/** The name of a method with `@ResourceAction`. */
export type OwnActionName = string & {};
