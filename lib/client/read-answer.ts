import { Decimal } from 'decimal.js';
import { decode } from '../wire/decode.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { RpcFetchResponse } from './rpc-client-options.js';
import { readRetryAfter } from './retry.js';
import { RpcClientError, type RpcClientProblem } from './rpc-client-error.js';

/**
 * Reads the response to a call, and revives the values of its result.
 *
 * @throws RpcClientError for an error response, and for one that is not from this API, such as a proxy's HTML page or an empty body
 */
export async function readAnswer(response: RpcFetchResponse): Promise<unknown> {
  const { status } = response;
  const body = parseObject(await response.text());
  if (!response.ok) throw errorOf(body, response);
  if (!Object.hasOwn(body, 'data')) throw new RpcClientError({ status, message: `The answer (${status}) is none of an RPC API.` });
  const { data, meta } = body;
  const decoded = decode(data, isPlainObject(meta) ? meta['serialization'] : undefined, { reviveDecimal });
  if ('fault' in decoded) throw new RpcClientError({ status, message: decoded.fault });
  return decoded.value;
}

function reviveDecimal(text: string): Decimal {
  return new Decimal(text);
}

type Body = Readonly<Record<string, unknown>>;

/** Parses a JSON object. Returns an empty object for any other text. */
function parseObject(text: string): Body {
  try {
    const body: unknown = JSON.parse(text);
    return isPlainObject(body) ? body : {};
  } catch {
    return {};
  }
}

function errorOf(
  { message, orm, rejectedByPolicy, code, reason, fields, problems }: Body,
  { status, headers }: RpcFetchResponse,
): RpcClientError {
  return new RpcClientError({
    status,
    message: pickText(message) ?? `The call failed with status ${status}, and the answer does not say why.`,
    orm: orm === true,
    rejectedByPolicy: rejectedByPolicy === true,
    code: pickText(code),
    reason: pickText(reason),
    fields: Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [],
    problems: Array.isArray(problems) ? problems.flatMap(readProblem) : [],
    retryAfter: readRetryAfter(headers?.get('retry-after')),
  });
}

function readProblem(problem: unknown): readonly RpcClientProblem[] {
  if (!isPlainObject(problem)) return [];
  const [path, message, code] = [problem['path'], problem['message'], pickText(problem['code'])];
  return typeof path === 'string' && typeof message === 'string' ? [{ path, message, ...(code !== undefined && { code }) }] : [];
}

function pickText(member: unknown): string | undefined {
  return typeof member === 'string' ? member : undefined;
}
