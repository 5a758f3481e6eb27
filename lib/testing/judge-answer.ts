import { isPlainObject } from '../wire/is-plain-object.js';
import type { Subject } from './hidden-field.js';
import { type Answer, jsonOf, type Probe } from './probe.js';

/**
 * What an answer gives away; undefined for nothing. A request that failed gives away no more than its text.
 *
 * A request that names the field must be refused, and by us: an error of the data layer means that the question was asked.
 */
export function judgeAnswer(probe: Probe, answer: Answer, subject: Subject & { readonly values: readonly string[] }): string | undefined {
  const value = subject.values.find((one) => holds(answer.text, one));
  if (value !== undefined) return `answered ${answer.status} with the value '${value}'`;
  if (answer.status >= 500) return undefined;
  return probe.expect === 'refusal' ? judgeRefusal(probe, answer) : judgeSilence(probe, answer, subject);
}

/** As it is, or with the escapes of a JSON string. */
function holds(text: string, value: string): boolean {
  return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
}

function judgeRefusal({ style, pointer }: Probe, answer: Answer): string | undefined {
  const { status } = answer;
  if (status < 400) return `accepted with ${status}`;
  const body = jsonOf(answer);
  // RPC knows no other 404 than that of a record.
  if (reachedDataLayer(body) || (style === 'rpc' && status === 404)) return `reached the data layer, which answered ${status}`;
  const isElsewhere = pointer !== undefined && FAULTS.has(status) && !pointsAt(body, pointer);
  return isElsewhere ? `accepted: the refusal (${status}) is about something else` : undefined;
}

/** A document that is faulty; any other refusal comes before the document is read. */
const FAULTS: ReadonlySet<number> = new Set([400, 409, 422]);

function pointsAt(body: unknown, pointer: string): boolean {
  return errorsOf(body).some(({ source }) => isPlainObject(source) && String(source['pointer']).startsWith(pointer));
}

function errorsOf(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isPlainObject(body) && Array.isArray(body['errors']) ? body['errors'].filter(isPlainObject) : [];
}

/** RPC says `orm`, REST `ormCode`; a record that is not there has been looked for. */
function reachedDataLayer(body: unknown): boolean {
  if (!isPlainObject(body)) return false;
  return (
    body['orm'] === true ||
    errorsOf(body).some((error) => 'ormCode' in error || isPlainObject(error['meta']) || error['code'] === 'not-found')
  );
}

/** An answer to an ordinary question holds no member of that name; an error does not mention it. */
function judgeSilence(probe: Probe, answer: Answer, subject: Subject): string | undefined {
  const { status, text } = answer;
  // A hidden `Warehouse.country` is no secret to who asks for the type `country`.
  const isAsked = mentions(`${probe.surface} ${probe.path}`, subject.field);
  if (status >= 400) return !isAsked && mentions(text, subject.field) ? `names it in an error (${status})` : undefined;
  const body = jsonOf(answer);
  const isShown = probe.style === 'rest' ? isInDocument(body, subject) : isInResult(body, probe, subject);
  return isShown ? `shows it (${status})` : undefined;
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
}

/** Only resource objects of the type count: another type may have a member of the same name. */
function isInDocument(body: unknown, { owner, members }: Subject): boolean {
  if (!isPlainObject(body)) return false;
  const resources = [body['data'], body['included']].flat().filter(isPlainObject);
  const own = resources.filter(({ type }) => type === owner.type);
  return own.some(({ attributes, relationships }) => members.some((member) => hasOwn(attributes, member) || hasOwn(relationships, member)));
}

function isInResult(body: unknown, { root }: Probe, subject: Subject): boolean {
  const rows = isPlainObject(body) && Array.isArray(body['data']) ? body['data'].flat(2) : [isPlainObject(body) && body['data']];
  return rows.some((row) => isInRow(row, root === subject.owner.delegate, subject));
}

/** A row of the model itself, or one that leads to such rows. */
function isInRow(row: unknown, isOwn: boolean, subject: Subject): boolean {
  if (!isPlainObject(row)) return false;
  if (isOwn && (hasOwn(row, subject.field) || hasOwn(row['_count'], subject.field))) return true;
  return subject.hops.some(({ name }) => [row[name]].flat().some((related) => isInRow(related, true, subject)));
}

function hasOwn(value: unknown, name: string): boolean {
  return isPlainObject(value) && Object.hasOwn(value, name);
}
