import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type DocumentPart, Sections } from './document-parts.js';
import { inSlices, type Steps } from './steps.js';

/** A document as it is sent. */
export interface WrittenDocument {
  readonly bytes: Buffer;
  /** The bytes, compressed. */
  readonly gzip: Buffer;
  /** A weak entity tag, because both forms have it. */
  readonly etag: string;
}

/** Builds the parts of a document and writes each as JSON. Only the texts are kept. */
export function* writeParts(parts: Iterable<DocumentPart>): Steps<Sections<string>> {
  const written = new Sections<string>();
  for (const part of parts) {
    const text = JSON.stringify(part.value);
    written.set(part, text);
    yield text.length;
  }
  return written;
}

/** Writes a document from the pieces of its text. */
export async function writeDocument(pieces: Iterable<string>): Promise<WrittenDocument> {
  const hash = createHash('sha256');
  const bytes = await inSlices(joinPieces(pieces, (chunk) => hash.update(chunk)));
  return { bytes, gzip: await promisify(gzip)(bytes), etag: `W/"${hash.digest('base64url')}"` };
}

/** Length of a chunk of text, in characters. */
const CHUNK = 2 ** 15;

function* joinPieces(pieces: Iterable<string>, read: (chunk: Buffer) => void): Steps<Buffer> {
  const chunks: Buffer[] = [];
  let text = '';
  const end = (): number => {
    const chunk = Buffer.from(text);
    chunks.push(chunk);
    read(chunk);
    text = '';
    return chunk.length;
  };
  for (const piece of pieces) {
    text += piece;
    if (text.length > CHUNK) yield end();
  }
  end();
  return Buffer.concat(chunks);
}

/** Returns the pieces of the JSON text of a document. */
export function* jsonPieces(written: Sections<string>): Generator<string> {
  yield '{';
  for (const [name, text] of written.of('')) yield `${JSON.stringify(name)}:${text},`;
  yield* objectPieces('paths', written.of('paths'));
  yield ',"components":';
  let separator = '{';
  for (const section of written.components()) {
    yield separator;
    yield* objectPieces(section, written.of(section));
    separator = ',';
  }
  yield '}}';
}

function* objectPieces(name: string, members: Iterable<readonly [string, string]>): Generator<string> {
  yield `${JSON.stringify(name)}:{`;
  let separator = '';
  for (const [member, text] of members) {
    yield `${separator}${JSON.stringify(member)}:${text}`;
    separator = ',';
  }
  yield '}';
}

/** Returns the pieces of the YAML text of a document. Each part is JSON on one line, which YAML 1.2 permits. */
export function* yamlPieces(written: Sections<string>): Generator<string> {
  for (const [name, text] of written.of('')) yield `${name}: ${name === 'openapi' ? text.slice(1, -1) : text}\n`;
  yield* yamlSection('paths', written.of('paths'), '');
  yield 'components:\n';
  for (const section of written.components()) yield* yamlSection(section, written.of(section), '  ');
}

function* yamlSection(section: string, members: Iterable<readonly [string, string]>, indentation: string): Generator<string> {
  const all = [...members];
  yield `${indentation}${section}:${all.length === 0 ? ' {}' : ''}\n`;
  for (const [name, text] of all) yield `${indentation}  ${JSON.stringify(name)}: ${text}\n`;
}
