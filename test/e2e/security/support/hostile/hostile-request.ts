/** A request as it is sent over a socket. Texts are latin1, so that they can contain any bytes. */
export interface HostileRequest {
  readonly method: string;
  /** Path and query, as they are written into the request line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Whether the headers have a wrong length of the body, so that no response is required. */
  readonly isMisframed?: boolean;
}

/** The bytes of a text in UTF-8, each as one character. */
export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Whether a header is among them, in any letter case. */
export function hasHeader({ headers }: HostileRequest, name: string): boolean {
  return headers.some(([given]) => given.toLowerCase() === name);
}

/** Encodes a request. Adds Content-Length and Host unless a mutation has set them. */
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
