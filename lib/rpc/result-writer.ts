import type { Attribute, Field, Resource } from '../model/surface/surface.js';
import { ByteChunks } from '../utils/byte-chunks.js';
import { checkComputed } from '../wire/check-computed.js';
import { type BytesForm, isJsonNumber } from '../wire/encode-scalar.js';
import { encodePart, PART } from '../wire/encode-result.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { jsonString } from '../wire/json-text.js';
import { escapeKey, isReservedKey } from '../wire/path.js';
import { SCALAR_TEXTS, type ScalarText } from '../wire/scalar-text.js';
import { annotationOfType } from '../wire/wire-text.js';
import { type Named, pick } from './pick-result.js';

/** What is written of rows. */
export interface NamedRows {
  readonly resource: Resource | undefined;
  readonly named: Named;
}

/**
 * Writes the rows of one result as JSON text in one walk: what `JSON.stringify` gives of what `pickResult` and `encodeResult` make of
 * them, byte by byte, without making that.
 */
export class ResultWriter {
  private readonly data = new ByteChunks();
  /** The members of `meta.serialization.values`. */
  private readonly notes = new ByteChunks();
  private hasBackslash = false;

  /** @param most bytes */
  constructor(
    private readonly bytes: BytesForm,
    private readonly most: number,
  ) {}

  /** @returns undefined for more bytes than there may be */
  write(result: Row | readonly Row[], selected: NamedRows): Uint8Array | undefined {
    const { data } = this;
    data.append('{"data":');
    if (isList(result)) {
      data.append('[');
      for (const [index, row] of result.entries()) {
        if (data.size + this.notes.size > this.most) return undefined;
        data.append(`${index > 0 ? ',' : ''}${this.rowText(row, selected, `${index}.`)}`);
      }
      data.append(']');
    } else data.append(this.rowText(result, selected, ''));
    if (this.notes.size > 0) {
      data.append(',"meta":{"serialization":{"values":{');
      data.appendAll(this.notes);
      data.append(this.hasBackslash ? '},"v":1}}' : '}}}');
    }
    data.append('}');
    const bytes = data.toBytes();
    return bytes.byteLength > this.most ? undefined : bytes;
  }

  /** @param prefix the path of the row with its dot, as JSON has it; undefined where no path can lead */
  private rowText(row: Row, { resource, named }: NamedRows, prefix: string | undefined): string {
    const members = resource ? membersOf(resource, this.bytes) : NO_MEMBERS;
    let text = '';
    for (const key of Object.keys(row)) {
      const asked = named.get(key);
      if (asked === undefined) continue;
      const member = members.get(key) ?? strangerOf(key);
      const value = this.memberText(row[key], asked, { member, prefix });
      if (value !== undefined) text += `${text === '' ? '' : ','}${member.open}${value}`;
    }
    return `{${text}}`;
  }

  private memberText(value: unknown, asked: Named | null, place: Place): string | undefined {
    const { member, prefix } = place;
    const { field, computed, textOf, note } = member;
    if (computed) checkComputed(computed, value);
    if (value === null) return 'null';
    if (asked) return this.relatedText(value, { resource: targetOf(field), named: asked }, place);
    const text = textOf?.(value);
    if (text === undefined) return this.otherText(value, place);
    if (note !== '' && prefix !== undefined) this.note(`"${prefix}${note}`, member.hasBackslash);
    return text;
  }

  private relatedText(value: unknown, selected: NamedRows, place: Place): string | undefined {
    const path = pathOf(place);
    if (!Array.isArray(value)) {
      if (isPlainObject(value)) return this.rowText(value, selected, path && `${path}.`);
      return this.otherText(pick(value, selected.named), place);
    }
    const rows: readonly unknown[] = value;
    if (!rows.every(isPlainObject)) return this.otherText(pick(value, selected.named), place);
    return `[${rows.map((row, index) => this.rowText(row, selected, path && `${path}.${index}.`)).join()}]`;
  }

  /** A value that is not the usual one of its field: a list, a number that JSON lacks, or whatever an extension of the data client has made of it. */
  private otherText(value: unknown, place: Place): string | undefined {
    const { member } = place;
    if (typeof value === 'number' && isJsonNumber(value)) return String(value);
    const { field } = member;
    const isJson = field?.kind === 'attribute' && field.type === 'Json' && (Array.isArray(value) || isPlainObject(value));
    if (isJson) return JSON.stringify(value);
    const { json, values } = encodePart(value, targetOf(field), this.bytes);
    const path = pathOf(place);
    if (path === undefined) return JSON.stringify(json);
    for (const [at, annotation] of Object.entries(values))
      this.note(`"${path}${inJson(at.slice(PART.length))}":${JSON.stringify(annotation)}`, at.includes('\\\\'));
    return JSON.stringify(json);
  }

  private note(text: string, hasBackslash: boolean): void {
    this.hasBackslash ||= hasBackslash;
    this.notes.append(this.notes.size > 0 ? `,${text}` : text);
  }
}

type Row = Readonly<Record<string, unknown>>;

interface Place {
  readonly member: Member;
  readonly prefix: string | undefined;
}

/** The constant parts of one member's text. */
interface Member {
  readonly field?: Field;
  /** The field, where the data client computes it. */
  readonly computed?: Attribute;
  /** `"createdAt":` */
  readonly open: string;
  /** Its segment of a path, as JSON has it; undefined where superjson has no path. */
  readonly segment: string | undefined;
  readonly textOf?: ScalarText;
  /** What is noted of each value after the path of its row, `createdAt":["Date"]`; empty where JSON has the type. */
  readonly note: string;
  readonly hasBackslash: boolean;
}

const MEMBERS: Readonly<Record<BytesForm, WeakMap<Resource, ReadonlyMap<string, Member>>>> = {
  'base64': new WeakMap(),
  'typed-array': new WeakMap(),
};
const NO_MEMBERS: ReadonlyMap<string, Member> = new Map<string, Member>();

function membersOf(resource: Resource, bytes: BytesForm): ReadonlyMap<string, Member> {
  let members = MEMBERS[bytes].get(resource);
  if (!members) {
    members = new Map([...resource.fields].map(([key, field]) => [key, memberOf(key, field, bytes)]));
    MEMBERS[bytes].set(resource, members);
  }
  return members;
}

function memberOf(key: string, field: Field, bytes: BytesForm): Member {
  const member = { ...strangerOf(key), field };
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

/** A member that is no field. */
function strangerOf(key: string): Member {
  const segment = isReservedKey(key) ? undefined : inJson(escapeKey(key));
  return { open: `${jsonString(key)}:`, segment, note: '', hasBackslash: key.includes('\\') };
}

/** The types of which JSON has no value; of the numbers there are some that it lacks. */
const NOTED: ReadonlySet<Attribute['type']> = new Set(['BigInt', 'Decimal', 'DateTime', 'Bytes'] as const);

function pathOf({ member: { segment }, prefix }: Place): string | undefined {
  return segment === undefined || prefix === undefined ? undefined : `${prefix}${segment}`;
}

function targetOf(field: Field | undefined): Resource | undefined {
  return field?.kind === 'relationship' ? field.target : undefined;
}

/** Inside the quotes of JSON. */
function inJson(text: string): string {
  return jsonString(text).slice(1, -1);
}

/** Array.isArray does not narrow a readonly list. */
function isList(result: Row | readonly Row[]): result is readonly Row[] {
  return Array.isArray(result);
}
