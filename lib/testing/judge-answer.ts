import { isPlainObject } from '../wire/is-plain-object.js';
import type { ProbedField } from './hidden-field.js';
import { isDescribed } from './is-described.js';
import { type Answer, jsonOf, type Probe } from './probe.js';

/**
 * Returns what a response reveals; undefined if it reveals nothing. A failed response (5xx) can reveal only values.
 *
 * A request with the name of the field must be refused by this package. An error of the data layer means that the query was executed.
 */
export function judgeAnswer(
  probe: Probe,
  answer: Answer,
  subject: ProbedField & { readonly values: readonly string[] },
): string | undefined {
  const value = subject.values.find((one) => holds(answer.text, one));
  if (value !== undefined) return `answered ${answer.status} with the value '${value}'`;
  if (answer.status >= 500) return undefined;
  return probe.expect === 'refusal' ? judgeRefusal(probe, answer) : judgeSilence(probe, answer, subject);
}

/** Whether a text contains a value, as it is or escaped as in a JSON string. */
function holds(text: string, value: string): boolean {
  return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
}

function judgeRefusal({ style, pointer }: Probe, answer: Answer): string | undefined {
  const { status } = answer;
  if (status < 400) return `accepted with ${status}`;
  const body = jsonOf(answer);
  // In RPC and MCP, 404 always means that the record was not found.
  if (reachedDataLayer(body) || (style !== 'rest' && status === 404)) return `reached the data layer, which answered ${status}`;
  const isElsewhere = pointer !== undefined && FAULTS.has(status) && !pointsAt(body, pointer);
  return isElsewhere ? `accepted: the refusal (${status}) is about something else` : undefined;
}

/** Statuses for a faulty document. Other refusals happen before the document is read. */
const FAULTS: ReadonlySet<number> = new Set([400, 409, 422]);

function pointsAt(body: unknown, pointer: string): boolean {
  return errorsOf(body).some(({ source }) => isPlainObject(source) && String(source['pointer']).startsWith(pointer));
}

function errorsOf(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isPlainObject(body) && Array.isArray(body['errors']) ? body['errors'].filter(isPlainObject) : [];
}

/** Whether the data layer executed the query: the error has `orm` in RPC or `ormCode` in REST, or no record was found. */
function reachedDataLayer(body: unknown): boolean {
  if (!isPlainObject(body)) return false;
  return (
    body['orm'] === true ||
    errorsOf(body).some((error) => 'ormCode' in error || isPlainObject(error['meta']) || error['code'] === 'not-found')
  );
}

/** Checks that a response has no member with the name of the field, and that an error does not contain the name. */
function judgeSilence(probe: Probe, answer: Answer, subject: ProbedField): string | undefined {
  const { status, text } = answer;
  // Skipped if the request itself contains the name, e.g. as the type `country` beside a hidden `Warehouse.country`.
  const isAsked = mentions(`${probe.surface} ${probe.path}`, subject.field);
  if (status >= 400) return !isAsked && mentions(text, subject.field) ? `names it in an error (${status})` : undefined;
  const body = jsonOf(answer);
  if (probe.describes) return isDescribed(body, subject) ? `describes it (${status})` : undefined;
  const isShown = probe.style === 'rest' ? isInDocument(body, subject) : isInResult(body, probe, subject);
  return isShown ? `shows it (${status})` : undefined;
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
}

/** Whether a resource object of the owner's type has the member. Other types may have a member of the same name. */
function isInDocument(body: unknown, { owner, members }: ProbedField): boolean {
  if (!isPlainObject(body)) return false;
  const resources = [body['data'], body['included']].flat().filter(isPlainObject);
  const own = resources.filter(({ type }) => type === owner.type);
  return own.some(({ attributes, relationships }) => members.some((member) => hasOwn(attributes, member) || hasOwn(relationships, member)));
}

function isInResult(body: unknown, { root }: Probe, subject: ProbedField): boolean {
  const rows = isPlainObject(body) && Array.isArray(body['data']) ? body['data'].flat(2) : [isPlainObject(body) && body['data']];
  return rows.some((row) => isInRow(row, root === subject.owner.delegate, subject));
}

/** Whether a row of the model has the field, or a row of another model contains such a row. */
function isInRow(row: unknown, isOwn: boolean, subject: ProbedField): boolean {
  if (!isPlainObject(row)) return false;
  if (isOwn && (hasOwn(row, subject.field) || hasOwn(row['_count'], subject.field))) return true;
  return subject.hops.some(({ name }) => [row[name]].flat().some((related) => isInRow(related, true, subject)));
}

function hasOwn(value: unknown, name: string): boolean {
  return isPlainObject(value) && Object.hasOwn(value, name);
}
