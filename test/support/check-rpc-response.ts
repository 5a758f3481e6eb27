import { isDeepStrictEqual } from 'node:util';
import type { RawResponse } from './check-rest-response.js';
import { findLeaks } from './find-leaks.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** The members of an error body (specification, section 7; `fields`: decisions) and the types of their values. */
const ERROR_MEMBERS: Readonly<Record<string, 'string' | 'boolean' | 'object'>> = {
  message: 'string',
  orm: 'boolean',
  code: 'string',
  fields: 'object',
  rejectedByPolicy: 'boolean',
  reason: 'string',
  problems: 'object',
};

/**
 * Checks what each response of RPC has to fulfil: JSON, the envelope `{ data, meta? }` or the flat error that is mirrored under `error`,
 * metadata that is not empty and names existing values alone, and error bodies that reveal nothing.
 *
 * @returns one sentence per breach
 */
export function checkRpcResponse(response: RawResponse): readonly string[] {
  const type = response.headers['content-type'];
  const body = parse(response.text);
  return [
    ...(/^application\/json(; ?charset=utf-8)?$/i.test(String(type)) ? [] : [`The content type is ${JSON.stringify(type)}.`]),
    ...(body === undefined ? ['The body is not a JSON object.'] : checkBody(body, response)),
  ];
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function checkBody(body: JsonObject, { status, text }: RawResponse): readonly string[] {
  if (status >= 400) return [...checkError(body), ...findLeaks(text)];
  return [
    ...(status === 200 || status === 201 ? [] : [`The status is ${status} rather than 200 or 201.`]),
    ...('data' in body ? [] : ["The body lacks 'data'."]),
    ...strangers(body, ['data', 'meta']),
    ...('meta' in body ? checkMeta(body) : []),
  ];
}

function checkMeta({ data, meta }: JsonObject): readonly string[] {
  const serialization = isObject(meta) ? meta['serialization'] : undefined;
  if (!isObject(meta) || !isObject(serialization)) return ["'meta' has no 'serialization'."];
  const { values } = serialization;
  if (values === undefined) return ["'meta.serialization' has no values."];
  const readPath = serialization['v'] === 1 ? splitPath : splitLegacyPath;
  return [...strangers(meta, ['serialization']), ...(isObject(values) ? checkPaths(Object.keys(values), data, readPath) : [])];
}

function checkPaths(paths: readonly string[], data: unknown, readPath: (path: string) => readonly string[]): readonly string[] {
  if (paths.length === 0) return ["'meta' says nothing."];
  return paths.filter((path) => !leadsSomewhere(readPath(path), data)).map((path) => `The metadata name ${path}, where there is no value.`);
}

/** superjson 2.2 with `v: 1`: dot and backslash are escaped. */
function splitPath(path: string): readonly string[] {
  const escaped = /\\(.)/g;
  const placeholders = path.replace(escaped, (_, character: string) => (character === '.' ? '\u0000' : '\u0001'));
  return placeholders.split('.').map((key) => key.replaceAll('\u0000', '.').replaceAll('\u0001', '\\'));
}

/** superjson before that: only the dot is escaped. */
function splitLegacyPath(path: string): readonly string[] {
  return path.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'));
}

function leadsSomewhere(keys: readonly string[], data: unknown): boolean {
  let value = data;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as JsonObject)[key];
  }
  return true;
}

/** How a message begins that is about a value of the argument. */
const ABOUT_A_VALUE =
  /^(?:operations\[(\d+)\]: )?(?:Unknown argument )?((?:where|data|select|include|omit|orderBy|cursor|take|skip|distinct|by|having|create|update|args)(?:\.[\w$]+)*)(?= (?!is called by)|\.|:)/;

/** Every fault of a value has an entry, whose path leads the message. */
function checkProblems({ message, problems = [] }: JsonObject): readonly string[] {
  if (!Array.isArray(problems)) return ["'problems' is no list."];
  const found: readonly unknown[] = problems;
  const expected = expectedPath(String(message));
  return [
    ...(found.every(isProblem) ? [] : ["An entry of 'problems' lacks a path, a message or a code."]),
    ...(expected === undefined || firstPath(found).startsWith(expected) ? [] : [`'problems' does not begin with '${expected}'.`]),
  ];
}

function expectedPath(message: string): string | undefined {
  const [, index, path] = ABOUT_A_VALUE.exec(message) ?? [];
  return index === undefined || path === undefined ? path : `[${index}].${path}`;
}

function firstPath([first]: readonly unknown[]): string {
  return isObject(first) ? String(first['path']) : '';
}

function isProblem(problem: unknown): boolean {
  return isObject(problem) && [problem['path'], problem['message'], problem['code']].every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function checkError(body: JsonObject): readonly string[] {
  const { error, ...flat } = body;
  return [
    ...(typeof body['message'] === 'string' && body['message'] !== '' ? [] : ["The error lacks 'message'."]),
    ...Object.entries(flat).flatMap(([name, value]) => checkErrorMember(name, value)),
    ...checkProblems(flat),
    ...(body['code'] !== undefined && body['orm'] !== true ? ["'code' is there without 'orm'."] : []),
    ...checkMirror(error, flat),
  ];
}

function checkErrorMember(name: string, value: unknown): readonly string[] {
  if (!Object.hasOwn(ERROR_MEMBERS, name)) return [`The error has an unknown member '${name}'.`];
  return typeof value === ERROR_MEMBERS[name] ? [] : [`The error's '${name}' is ${JSON.stringify(value)}.`];
}

/** Existing clients read `body.error.*`; there `reason` has a second name. */
function checkMirror(error: unknown, flat: JsonObject): readonly string[] {
  if (!isObject(error)) return ["The error is not mirrored under 'error'."];
  const { rejectReason, ...mirror } = error;
  return [
    ...(isDeepStrictEqual(mirror, flat) ? [] : ["The mirror under 'error' differs."]),
    ...(rejectReason === undefined || flat['rejectedByPolicy'] === true ? [] : ["'error.rejectReason' is there without a refusal."]),
  ];
}

function strangers(value: JsonObject, allowed: readonly string[]): readonly string[] {
  return Object.keys(value)
    .filter((name) => !allowed.includes(name))
    .map((name) => `There is an unknown member '${name}'.`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
