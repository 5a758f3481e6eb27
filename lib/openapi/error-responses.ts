import { ERROR_CATALOGUE, type ErrorCode } from '../errors/error-catalogue.js';
import type { Components } from './components.js';
import type { JsonSchema } from './json-schema.js';
import type { Operation, Reference, Response } from './open-api.js';

/** The error responses of one style. */
export interface ErrorStyle {
  /** Prefix of the names of its shared responses, e.g. `Rest`. */
  readonly name: string;
  readonly mediaType: string;
  readonly schema: JsonSchema;
  /** Returns the status of a code in this style. */
  readonly statusOf: (code: ErrorCode) => number;
  /** Whether its error bodies contain the code. */
  readonly showsCodes: boolean;
}

/**
 * Returns references to the responses of the given statuses and of all others (`default`). Any endpoint may have other errors, e.g. because of an
 * unreachable database or a guard of the application.
 */
export function errorResponses(
  statuses: readonly number[],
  style: ErrorStyle,
  components: Components,
): Readonly<Record<string, Reference>> {
  const known = RESPONSES.get(style) ?? new Map<string, Readonly<Record<string, Reference>>>();
  RESPONSES.set(style, known);
  const found = known.get(statuses.join());
  if (found) return found;
  const named = statuses.map((status): [string, Reference] => [
    String(status),
    components.response(`${style.name}${status}`, style, () => errorResponse(style, status)),
  ]);
  const others = components.response(`${style.name}Error`, style, () => ({ ...errorResponse(style), description: 'Any other error.' }));
  const responses = { ...Object.fromEntries(named), default: others };
  known.set(statuses.join(), responses);
  return responses;
}

/** The responses of each list of statuses. A style belongs to one document, and most of its operations have one of a few lists. */
const RESPONSES = new WeakMap<ErrorStyle, Map<string, Readonly<Record<string, Reference>>>>();

type Responses = Operation['responses'];

/**
 * Returns the responses of an operation by status. Each literal begins with a status, because V8 otherwise reserves an element for every
 * number up to the highest status: five kilobytes for each operation.
 */
export function responsesOf(status: number, success: Response | Reference, errors: Responses, others?: Responses): Responses {
  if (status === 200) return { 200: success, ...errors, ...others };
  return status === 201 ? { 201: success, ...errors, ...others } : { 204: success, ...errors, ...others };
}

function errorResponse({ mediaType, schema, statusOf, showsCodes }: ErrorStyle, status?: number): Response {
  const codes = (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).filter((code) => statusOf(code) === status);
  const meanings = codes.map((code) => (showsCodes ? `\`${code}\`: ${ERROR_CATALOGUE[code].title}` : ERROR_CATALOGUE[code].title));
  return { description: meanings.join(' · '), content: { [mediaType]: { schema } } };
}
