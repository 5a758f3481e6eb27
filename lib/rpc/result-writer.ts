import type { Attribute, Field, Resource, UniqueKey } from '../model/surface/surface.js';
import { ByteChunks } from '../utils/byte-chunks.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import { checkComputedValue } from '../wire/check-computed.js';
import { type BytesForm, isJsonNumber } from '../wire/encode-scalar.js';
import { encodePart, PART } from '../wire/encode-result.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { jsonString, SCALAR_TEXTS, type ScalarText } from '../wire/scalar-text.js';
import { escapeKey, isReservedKey } from '../wire/path.js';
import { requireReadable } from '../wire/require-readable.js';
import { annotationOfType } from '../wire/wire-text.js';
import { type Named, pick } from './pick-result.js';

/** The rows to write: their resource, and the members that the query names. */
export interface NamedRows {
  readonly resource: Resource | undefined;
  readonly named: Named;
}

/** A result of a batch: rows, or any other value, which is written whole. */
export type BatchResult =
  | { readonly rows: Row | readonly Row[]; readonly selected: NamedRows }
  | { readonly value: unknown; readonly resource: Resource | undefined };

/**
 * Writes results as the JSON text of a response body in a single pass. The text of one result is byte for byte that of `JSON.stringify` after
 * `pickResult` and `encodeResult`, without creating their objects.
 */
export class ResultWriter {
  private readonly data = new ByteChunks();
  /** The members of `meta.serialization.values`. */
  private readonly notes = new ByteChunks();
  private hasBackslash = false;

  /** @param maxBytes the largest number of bytes */
  constructor(
    private readonly bytes: BytesForm,
    private readonly maxBytes: number,
  ) {}

  /** Writes the body of one call whose result is rows. @returns undefined if it would have more than `maxBytes` bytes */
  write(result: Row | readonly Row[], selected: NamedRows): Uint8Array | undefined {
    this.data.append('{"data":');
    this.appendRows(result, selected, '');
    return this.finish();
  }

  /** Writes the body of a batch. @returns undefined if it would have more than `maxBytes` bytes */
  writeAll(results: readonly BatchResult[]): Uint8Array | undefined {
    this.data.append('{"data":[');
    for (const [index, result] of results.entries()) {
      if (index > 0) this.data.append(',');
      if ('rows' in result) this.appendRows(result.rows, result.selected, `${index}.`);
      else this.data.append(this.encodedText(result.value, result.resource, String(index)) ?? 'null');
    }
    this.data.append(']');
    return this.finish();
  }

  /** Appends rows. @param prefix the path of the result with its dot; empty for the only result */
  private appendRows(result: Row | readonly Row[], selected: NamedRows, prefix: string): void {
    const { data } = this;
    const form = formOf(selected, this.bytes);
    if (!isRowList(result)) {
      data.append(this.rowText(result, form, prefix));
      return;
    }
    data.append('[');
    for (const [index, row] of result.entries()) {
      if (this.isFull) return;
      data.append(`${index > 0 ? ',' : ''}${this.rowText(row, form, `${prefix}${index}.`)}`);
    }
    data.append(']');
  }

  private get isFull(): boolean {
    return this.data.size + this.notes.size > this.maxBytes;
  }

  private finish(): Uint8Array | undefined {
    const { data } = this;
    if (this.isFull) return undefined;
    if (this.notes.size > 0) {
      data.append(',"meta":{"serialization":{"values":{');
      data.appendAll(this.notes);
      data.append(this.hasBackslash ? '},"v":1}}' : '}}}');
    }
    data.append('}');
    const bytes = data.toBytes();
    return bytes.byteLength > this.maxBytes ? undefined : bytes;
  }

  /** Returns the JSON text of a row. @param prefix the JSON-escaped path of the row with its dot; undefined if superjson has no such path */
  private rowText(row: Row, form: RowForm, prefix: string | undefined): string {
    const keys = Object.keys(row);
    let text = '';
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] ?? '';
      const named = form.memberAt(index, key);
      if (named.selection === undefined) continue;
      const value = this.memberText(row, named, prefix);
      if (value !== undefined) text = text === '' ? `{${named.member.open}${value}` : `${text},${named.member.open}${value}`;
    }
    return text === '' ? '{}' : `${text}}`;
  }

  private memberText(row: Row, named: NamedMember, prefix: string | undefined): string | undefined {
    const { member } = named;
    const { computed, textOf, note } = member;
    const value = row[named.key];
    if (computed) checkComputedValue(computed, value);
    if (value === null) return 'null';
    if (named.selection) return this.relatedText(value, named, prefix);
    const text = textOf?.(value);
    if (text === undefined) {
      requireReadable(row, member.field, member.rowKey);
      return this.otherText(value, member, prefix);
    }
    if (note !== '' && prefix !== undefined) this.note(prefix, note, member.hasBackslash);
    return text;
  }

  private relatedText(value: unknown, { selection = null, member, related }: NamedMember, prefix: string | undefined): string | undefined {
    const path = extendPath(member, prefix);
    if (!Array.isArray(value)) {
      if (isPlainObject(value)) return this.rowText(value, related, path && `${path}.`);
      return this.otherText(pick(value, selection), member, prefix);
    }
    const rows: readonly unknown[] = value;
    if (!rows.every(isPlainObject)) return this.otherText(pick(value, selection), member, prefix);
    return `[${rows.map((row, index) => this.rowText(row, related, path && `${path}.${index}.`)).join()}]`;
  }

  /**
   * Returns the text of an unusual value of a field: a list, a number that JSON lacks, or a value that an extension of the data client has changed.
   */
  private otherText(value: unknown, member: Member, prefix: string | undefined): string | undefined {
    if (typeof value === 'number' && isJsonNumber(value)) return String(value);
    const { field } = member;
    const isJson = field?.kind === 'attribute' && field.type === 'Json' && (Array.isArray(value) || isPlainObject(value));
    if (isJson) return JSON.stringify(value);
    return this.encodedText(value, findRelatedResource(field), extendPath(member, prefix));
  }

  /** Returns the text of a value of any type. @param path its JSON-escaped path; undefined if superjson has none */
  private encodedText(value: unknown, resource: Resource | undefined, path: string | undefined): string | undefined {
    const { json, values } = encodePart(value, resource, this.bytes);
    if (path === undefined) return JSON.stringify(json);
    for (const [at, annotation] of Object.entries(values))
      this.note(path, `${inJson(at.slice(PART.length))}":${JSON.stringify(annotation)}`, at.includes('\\\\'));
    return JSON.stringify(json);
  }

  /** Adds an entry to the serialization metadata. @param note the text after the path */
  private note(path: string, note: string, hasBackslash: boolean): void {
    this.hasBackslash ||= hasBackslash;
    this.notes.append(this.notes.size > 0 ? `,"${path}${note}` : `"${path}${note}`);
  }
}

/**
 * The JSON layout of rows. It is cached by position, because rows of one result have the same members in the same order. An extension of the data
 * client may change a row; its members are then looked up by key.
 */
class RowForm {
  private readonly found: NamedMember[] = [];
  private readonly members: ReadonlyMap<string, Member>;

  constructor(
    private readonly selected: NamedRows,
    private readonly bytes: BytesForm,
  ) {
    this.members = selected.resource ? MEMBERS[bytes](selected.resource) : NO_MEMBERS;
  }

  /** Returns the member with a key. @param index the position of the member in its row */
  memberAt(index: number, key: string): NamedMember {
    const found = this.found[index];
    return found?.key === key ? found : (this.found[index] = this.memberOf(key));
  }

  private memberOf(key: string): NamedMember {
    return new NamedMember(key, this.selected.named.get(key), this.members.get(key) ?? findUnknownMember(key), this.bytes);
  }
}

/** Returns the layout of rows. Requests share it, because they share selections. */
function formOf(selected: NamedRows, bytes: BytesForm): RowForm {
  const { resource, named } = selected;
  return resource ? FORMS[bytes](resource)(named) : new RowForm(selected, bytes);
}

const formsIn = (bytes: BytesForm): ((resource: Resource) => (named: Named) => RowForm) =>
  memoizeByObject((resource) => memoizeByObject((named) => new RowForm({ resource, named }, bytes)));
const FORMS = { 'base64': formsIn('base64'), 'typed-array': formsIn('typed-array') };

/** A member of rows, and the members of its value that the query names. */
class NamedMember {
  private form: RowForm | undefined;

  /** @param selection null if the value is written as it is, undefined if the query does not name the member */
  constructor(
    readonly key: string,
    readonly selection: Named | null | undefined,
    readonly member: Member,
    private readonly bytes: BytesForm,
  ) {}

  /** Returns the layout of the related rows. */
  get related(): RowForm {
    return (this.form ??= formOf({ resource: findRelatedResource(this.member.field), named: this.selection ?? NOTHING }, this.bytes));
  }
}

const NOTHING: Named = new Map<string, null>();

type Row = Readonly<Record<string, unknown>>;

/** Whether a result consists of rows: one object, or a list of objects. */
export function areRows(result: unknown): result is Row | readonly Row[] {
  return Array.isArray(result) ? result.every(isPlainObject) : isPlainObject(result);
}

/** The constant parts of the JSON text of one member. */
interface Member {
  readonly field?: Field;
  /** The field, if the data client computes it. */
  readonly computed?: Attribute;
  /** The key with its colon: `"createdAt":`. */
  readonly open: string;
  /** The JSON-escaped path segment of the member; undefined if superjson has no path for it. */
  readonly segment: string | undefined;
  readonly textOf?: ScalarText;
  /** The metadata entry after the path of the row, e.g. `createdAt":["Date"]`; empty if JSON has the type. */
  readonly note: string;
  readonly hasBackslash: boolean;
  /** The key of the row that has this member. */
  readonly rowKey?: UniqueKey;
}

const NO_MEMBERS: ReadonlyMap<string, Member> = new Map<string, Member>();

const membersIn = (bytes: BytesForm): ((resource: Resource) => ReadonlyMap<string, Member>) =>
  memoizeByObject((resource) => new Map([...resource.fields].map(([key, field]) => [key, compileMember(key, field, resource, bytes)])));
const MEMBERS = { 'base64': membersIn('base64'), 'typed-array': membersIn('typed-array') };

function compileMember(key: string, field: Field, { identifier }: Resource, bytes: BytesForm): Member {
  const member = { ...findUnknownMember(key), field, rowKey: identifier };
  if (field.kind === 'relationship') return member;
  const { type, list } = field;
  const known = field.computed ? { ...member, computed: field } : member;
  return list || type === 'Json' || (type === 'Bytes' && bytes !== 'base64')
    ? known
    : { ...known, textOf: SCALAR_TEXTS[type], note: noteOf(member, type) };
}

function noteOf({ segment }: Member, type: Attribute['type']): string {
  const annotation = NOTED.has(type) && segment !== undefined ? annotationOfType(type) : undefined;
  return annotation ? `${segment ?? ''}":${JSON.stringify(annotation)}` : '';
}

/** Returns the layout of a member that is no field. */
function findUnknownMember(key: string): Member {
  const segment = isReservedKey(key) ? undefined : inJson(escapeKey(key));
  return { open: `${jsonString(key)}:`, segment, note: '', hasBackslash: key.includes('\\') };
}

/** Types whose values always need metadata. A Float or Int needs it only for numbers that JSON lacks. */
const NOTED: ReadonlySet<Attribute['type']> = new Set(['BigInt', 'Decimal', 'DateTime', 'Bytes'] as const);

function extendPath({ segment }: Member, prefix: string | undefined): string | undefined {
  return segment === undefined || prefix === undefined ? undefined : `${prefix}${segment}`;
}

function findRelatedResource(field: Field | undefined): Resource | undefined {
  return field?.kind === 'relationship' ? field.target : undefined;
}

/** Returns the text as it is inside the quotes of a JSON string. */
function inJson(text: string): string {
  return jsonString(text).slice(1, -1);
}

/** Whether the result is a list of rows. `Array.isArray` does not narrow a readonly array. */
function isRowList(result: Row | readonly Row[]): result is readonly Row[] {
  return Array.isArray(result);
}
