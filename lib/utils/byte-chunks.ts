/** Texts below this many characters are kept together. V8 leaves a longer one, once it is made into bytes, outside of its young generation, where it stays until the next full collection. */
const CHUNK = 16_384;

/** UTF-8 takes at most so many bytes for a unit of UTF-16. */
const MOST_BYTES = 3;

/** Where texts are made into bytes: to know their number first would take a second look at each. */
const scratch = Buffer.allocUnsafeSlow(2 * CHUNK * MOST_BYTES);

/** Text that grows piece by piece. A long one is kept as the bytes of its UTF-8, so that it is there once; a short one is made into bytes at the end. */
export class ByteChunks {
  private readonly chunks: Uint8Array[] = [];
  private pending = '';
  private written = 0;

  /** Bytes so far; what is pending is counted as if each character took one. */
  get size(): number {
    return this.written + this.pending.length;
  }

  append(text: string): void {
    this.pending += text;
    if (this.pending.length >= CHUNK) this.flush();
  }

  /** Appends all of another text, which is not to be used any more. */
  appendAll(other: ByteChunks): void {
    if (other.chunks.length > 0) {
      this.flush();
      for (const chunk of other.chunks) this.chunks.push(chunk);
      this.written += other.written;
    }
    this.append(other.pending);
  }

  toBytes(): Uint8Array {
    if (this.chunks.length === 0) return bytesOf(this.pending);
    this.flush();
    return Buffer.concat(this.chunks, this.written);
  }

  private flush(): void {
    if (this.pending === '') return;
    const bytes = bytesOf(this.pending);
    this.chunks.push(bytes);
    this.written += bytes.byteLength;
    this.pending = '';
  }
}

function bytesOf(text: string): Uint8Array {
  if (text.length * MOST_BYTES > scratch.byteLength) return Buffer.from(text);
  const size = scratch.write(text);
  const bytes = Buffer.allocUnsafe(size);
  scratch.copy(bytes, 0, 0, size);
  return bytes;
}
