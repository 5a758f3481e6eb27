import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ByteChunks } from '../utils/byte-chunks.js';
import { once } from '../utils/memoize-by-object.js';
import { type DocumentPart, type PartName, SECTIONS, Sections } from './document-parts.js';
import { inSlices, type Steps } from './steps.js';

/** A document as it is sent. */
export interface SentDocument {
  readonly bytes: Uint8Array;
  /** Compresses the bytes at the first call. */
  readonly gzip: () => Promise<Uint8Array>;
  /** A weak entity tag, because both forms have it. */
  readonly etag: string;
}

/** Writes each part of a document as JSON when the caller takes it. */
export function* partTexts(parts: Iterable<DocumentPart>): Generator<readonly [PartName, string]> {
  for (const part of parts) yield [part, JSON.stringify(part.value)];
}

/** Joins the texts of parts to the JSON text of their document. Each part is on one line, by which {@link splitJson} finds it. */
export function* joinJson(texts: Iterable<readonly [PartName, string]>): Steps<Uint8Array> {
  const sections = new Map(SECTIONS.map((section) => [section, new ByteChunks()]));
  for (const [{ section, name }, text] of texts) {
    const lines = sections.get(section) ?? new ByteChunks();
    sections.set(section, lines);
    lines.append(`${lines.size === 0 ? '' : ','}\n${JSON.stringify(name)}:`);
    lines.append(text);
    yield text.length;
  }
  return joinSections(sections);
}

function joinSections(sections: ReadonlyMap<string, ByteChunks>): Uint8Array {
  const whole = new ByteChunks();
  const append = (before: string, section: string, after: string): void => {
    whole.append(before);
    whole.appendAll(sections.get(section) ?? new ByteChunks());
    whole.append(after);
  };
  append('{', '', sections.get('')?.size === 0 ? '' : ',');
  append('\n"paths":{', 'paths', '\n},\n"components":{');
  const components = [...sections.keys()].filter((section) => section !== '' && section !== 'paths');
  for (const section of components) append(`\n${JSON.stringify(section)}:{`, section, section === components.at(-1) ? '\n}' : '\n},');
  whole.append('\n}\n}');
  return whole.toBytes();
}

/** Returns the texts of the parts of a JSON text that {@link joinJson} has made. */
export function* splitJson(bytes: Uint8Array): Steps<Sections<string>> {
  const texts = new Sections<string>();
  let section = '';
  for (const line of linesOf(bytes)) {
    const [key = '', name = ''] = KEY.exec(line) ?? [];
    const text = line.slice(key.length, line.endsWith(',') ? -1 : undefined);
    // A line without more than a key begins a section.
    if (text === '{') section = name;
    else if (key !== '') texts.set({ section, name: JSON.parse(`"${name}"`) as string }, text);
    yield line.length;
  }
  return texts;
}

/** A key at the start of a line. */
const KEY = /^"((?:[^"\\]|\\.)*)":/;

function* linesOf(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length;) {
    const end = buffer.indexOf('\n', start);
    yield buffer.toString('utf8', start, end === -1 ? buffer.length : end);
    start = end === -1 ? buffer.length : end + 1;
  }
}

/** Joins the pieces of a text. */
export function* joinPieces(pieces: Iterable<string>): Steps<Uint8Array> {
  const chunks = new ByteChunks();
  for (const piece of pieces) {
    chunks.append(piece);
    yield piece.length;
  }
  return chunks.toBytes();
}

/** Returns a document as it is sent, with the digest of its bytes as its entity tag. */
export async function sendable(bytes: Uint8Array): Promise<SentDocument> {
  const etag = `W/"${await inSlices(digestOf(bytes))}"`;
  return { bytes, gzip: once(async () => promisify(gzip)(bytes)), etag };
}

const SLICE = 2 ** 16;

function* digestOf(bytes: Uint8Array): Steps<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += SLICE) {
    hash.update(bytes.subarray(start, start + SLICE));
    yield SLICE;
  }
  return hash.digest('base64url');
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
