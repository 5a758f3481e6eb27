/** A request as it goes over a socket. A text has one character for each byte (latin1), so that it can be anything. */
export interface HostileRequest {
  readonly method: string;
  /** Path and query, as they are written into the request line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Whether the headers say something else of the length of the body than is sent: nobody need answer. */
  readonly isMisframed?: boolean;
}

/** The bytes of a text in UTF-8, each as one character. */
export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Whether a header is among them, in any letter case. */
export function hasHeader({ headers }: HostileRequest, name: string): boolean {
  return headers.some(([given]) => given.toLowerCase() === name);
}

/** The bytes of a request. Length and host are added unless a mutation has given some. */
export function encodeRequest(request: HostileRequest): Buffer {
  const { method, target, headers, body } = request;
  const added = [
    ...(hasHeader(request, 'host') ? [] : ['Host: api.test']),
    ...(body === undefined || hasHeader(request, 'content-length') || hasHeader(request, 'transfer-encoding')
      ? []
      : [`Content-Length: ${body.length}`]),
  ];
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), ...added];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, 'latin1');
}
