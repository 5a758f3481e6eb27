/** The two styles that a mount may speak. */
export type ApiStyle = 'rest' | 'rpc';

/** The name of a method with `@ResourceAction`. */
export type OwnActionName = string & {};
