/**
 * The number of characters from which pending text is converted to bytes.
 * Because V8 allocates longer buffers outside its young generation, they would stay in memory until the next full collection.
 */
const CHUNK = 16_384;

/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MOST_BYTES = 3;

/** A reusable buffer for UTF-8 encoding, which returns the number of bytes. `Buffer.byteLength` would scan each text a second time. */
const scratch = Buffer.allocUnsafeSlow(2 * CHUNK * MOST_BYTES);

/**
 * A text buffer that is appended to piece by piece.
 * Long text is stored as UTF-8 bytes only, so that memory holds it once; short text is encoded when the bytes are read.
 */
export class ByteChunks {
  private readonly chunks: Uint8Array[] = [];
  private pending = '';
  private written = 0;

  /** The number of bytes so far. Pending text counts one byte per character. */
  get size(): number {
    return this.written + this.pending.length;
  }

  append(text: string): void {
    this.pending += text;
    if (this.pending.length >= CHUNK) this.flush();
  }

  /** Appends the content of another buffer, which must not be used afterwards. */
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
