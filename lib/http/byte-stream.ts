/**
 * A body that is made while it is sent, at the pace of its reader: the `body` of an answer of any length.
 *
 * What goes wrong before the first chunk is to be found out before there is an answer: from then on an answer can only be broken off.
 */
export class ByteStream {
  /**
   * @param chunks of some kilobytes each; the next one is asked for when the one before is taken, and none after the reader is gone
   * @param lastWords what an answer that breaks off says last, made of the body that tells the error; absent where the format has no words for it
   */
  constructor(
    readonly chunks: AsyncIterable<Uint8Array>,
    readonly lastWords?: (error: unknown) => Uint8Array,
  ) {}
}
