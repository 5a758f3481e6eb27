/**
 * A response body of any length, which is produced while it is sent, at the pace at which the client reads it.
 *
 * Errors that can be detected before the first chunk must be thrown before the response is created. After the first chunk, an error can
 * only abort the response.
 */
export class ByteStream {
  /**
   * @param chunks of some kilobytes each; a chunk is requested after the previous one has been read, and not after the client has
   * disconnected
   * @param lastWords returns the last chunk of an aborted response, from the rendered error; absent if the format cannot contain an error
   */
  constructor(
    readonly chunks: AsyncIterable<Uint8Array>,
    readonly lastWords?: (error: unknown) => Uint8Array,
  ) {}
}
