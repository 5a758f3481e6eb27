/** The safe methods, which return a representation and change nothing (RFC 9110, section 9.2.1; QUERY: RFC 10008). */
export const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY']);
