import { checkRestResponse, type RawResponse } from '../../../../support/check-rest-response.js';
import { checkRpcResponse } from '../../../../support/check-rpc-response.js';
import { ENDPOINT } from '../../../../support/test-app.js';
import type { HostileRequest } from './hostile-request.js';
import type { NoResponse } from './raw-client.js';

/** The beginnings of every text in hidden fields, and in rows that the rules hide. */
export const CANARY = { field: 'canary-7f3a9', row: 'canary-c04d1' } as const;

/** Bytes that an error may have: twenty problems of two kilobytes. */
const LARGEST_ERROR = 20 * 2048;

/**
 * @param hasRules whether row rules hide rows from the caller
 * @returns one sentence per fault of a response
 */
export function faultsOf(request: HostileRequest, response: RawResponse | NoResponse, hasRules: boolean): readonly string[] {
  if (typeof response === 'string') {
    return request.isMisframed || request.method === 'CONNECT' ? [] : [`The connection is ${response}.`];
  }
  const isForeign = isOfParser(response) || isOfPlatform(request, response);
  return [...contentFaults(response, hasRules), ...(isForeign ? [] : formatFaults(request, response))];
}

function contentFaults({ status, text }: RawResponse, hasRules: boolean): readonly string[] {
  return [
    ...(status < 500 ? [] : [`The status is ${status}.`]),
    ...(status < 400 || text.length <= LARGEST_ERROR ? [] : [`An error has ${text.length} characters.`]),
    ...(text.includes(CANARY.field) ? ['It contains a hidden value.'] : []),
    ...(hasRules && text.includes(CANARY.row) ? ['It contains a hidden row.'] : []),
  ];
}

/** Whether a response is of Node's HTTP parser: for invalid HTTP, too large headers, and Expect. */
function isOfParser({ status, headers, text }: RawResponse): boolean {
  return PARSER_STATUSES.has(status) && text === '' && headers['content-type'] === undefined;
}

const PARSER_STATUSES: ReadonlySet<number> = new Set([400, 408, 413, 417, 431]);

/** Whether a response is of the platform: for paths and methods without a route, and for errors of Fastify's parser and router. */
function isOfPlatform({ method }: HostileRequest, { status, text }: RawResponse): boolean {
  if (status < 400 || status >= 500) return false;
  return PLATFORM_ERRORS.some((pattern) => pattern.test(text)) || (method === 'HEAD' && text === '');
}

const PLATFORM_ERRORS = [
  /^\{"message":"Cannot [^ ]+ /,
  /^\{"statusCode":4\d\d,"code":"FST_ERR_(?:BAD_URL|MAX_PARAM_LENGTH)"/,
  /^\{"error":"[\w ]+","message":"[\w ]+","statusCode":4\d\d\}$/,
];

function formatFaults({ target, method }: HostileRequest, response: RawResponse): readonly string[] {
  const type = String(response.headers['content-type']);
  const isRead = response.status < 400;
  if (isRead && /csv|ndjson|jsonl/.test(type)) return [];
  const bodiless = method === 'HEAD';
  if (target.startsWith('/api/rpc')) return bodiless ? [] : checkRpcResponse(response);
  if (!type.endsWith(ATOMIC)) {
    const faults = checkRestResponse(response, { strict: false, endpoint: ENDPOINT, bodiless });
    return hasFieldsets(target) ? faults.filter((fault) => !fault.endsWith(NOT_LINKED)) : faults;
  }
  if (isRead) return /^\{"(?:jsonapi":\{[^}]+\},")?atomic:results":\[/.test(response.text) ? [] : ['There are no results of operations.'];
  const headers = { ...response.headers, 'content-type': type.slice(0, -ATOMIC.length) };
  return checkRestResponse({ ...response, headers }, { strict: false, endpoint: ENDPOINT });
}

/** Whether a fieldset may omit the relationship to an included resource (JSON:API 1.1, "Compound Documents"). */
function hasFieldsets(target: string): boolean {
  return /[?&]fields(?:\[|%5b)/i.test(target);
}

const NOT_LINKED = 'is included, but nothing links to it.';

/** The media type parameter of responses of atomic operations. */
const ATOMIC = ';ext="https://jsonapi.org/ext/atomic"';
