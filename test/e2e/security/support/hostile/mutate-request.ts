import type { OutgoingRequest } from '../../../../support/send-request.js';
import { type Encoding, percentEncode, randomEncoding } from './encode-text.js';
import { bytesOf, type HostileRequest } from './hostile-request.js';
import { inAnyCase, randomJson, randomName, randomParameter } from './hostile-values.js';
import { mutateHeaders } from './mutate-headers.js';
import { mutateJson } from './mutate-json.js';
import type { Random } from './random.js';

/** A request before its texts are encoded. */
export interface Draft {
  method: string;
  readonly segments: string[];
  readonly parameters: [name: string, value: string][];
  headers: [name: string, value: string][];
  body: string | undefined;
  encoding: Encoding;
  isMisframed: boolean;
}

/** A request with some faults, none of them now and then. */
export function mutateRequest(random: Random, request: OutgoingRequest): HostileRequest {
  const draft = draftOf(request);
  for (let count = random.pick([0, 1, 1, 1, 2, 3]); count > 0; count -= 1) random.pick(MUTATIONS)(random, draft);
  return requestOf(random, draft);
}

function draftOf({ method, path, headers = {}, body }: OutgoingRequest): Draft {
  const [before = '', query = ''] = path.split('?');
  const parameters = query === '' ? [] : query.split('&').map(parameterOf);
  const segments = before.split('/').slice(1);
  return { method, segments, parameters, headers: Object.entries(headers), body, encoding: percentEncode, isMisframed: false };
}

function parameterOf(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [decodeURIComponent(text), ''] : [decodeURIComponent(text.slice(0, at)), decodeURIComponent(text.slice(at + 1))];
}

/** The maximal length of a name or a value in a URL. Node rejects URLs above 16 KiB. */
const LONGEST_TEXT = 50_000;

/** Characters: more than `limits.maxBodySize` allows. */
const LONGEST_BODY = 3_000_000;

function requestOf(random: Random, { method, segments, parameters, headers, body, encoding, isMisframed }: Draft): HostileRequest {
  // The prefixes are not mutated, because most requests would be of another route.
  const path = segments.map((segment, index) => (index < 2 ? segment : encoding(segment))).join('/');
  const encode = (text: string): string => encoding(text.slice(0, LONGEST_TEXT));
  const query = parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join(random.chance(0.98) ? '&' : ';');
  return {
    method,
    target: `/${path}${parameters.length > 0 ? `?${query}` : ''}`,
    headers,
    ...(body !== undefined && { body: damage(random, bytesOf(body.slice(0, LONGEST_BODY))) }),
    ...(isMisframed && { isMisframed }),
  };
}

/** Now and then bytes that are no UTF-8. */
function damage(random: Random, bytes: string): string {
  if (!random.chance(0.03)) return bytes;
  const at = random.below(bytes.length + 1);
  return bytes.slice(0, at) + random.pick(['\xff', '\xc0\xaf', '\x80', '\xed\xa0\x80', '\x00', '\xf4\x90\x80\x80']) + bytes.slice(at);
}

type Mutation = (random: Random, draft: Draft) => void;

/** Changes the argument of RPC, wherever it is, or the document of REST. */
const changeJson: Mutation = (random, draft) => {
  const parameter = draft.parameters.find(([name]) => name === 'q' || name === 'meta');
  if (draft.body !== undefined) draft.body = mutateJson(random, draft.body);
  else if (parameter) parameter[1] = mutateJson(random, parameter[1]);
  else changeParameter(random, draft);
};

const changeParameter: Mutation = (random, draft) => {
  if (draft.parameters.length === 0) addParameter(random, draft);
  const parameter = random.pick(draft.parameters);
  const [name, value] = parameter;
  random.pick([
    () => (parameter[1] = randomParameter(random)),
    () => (parameter[0] = inAnyCase(random, name)),
    () => (parameter[0] = name.replace(/[^[\]]+(?=\]?$)/, randomName(random))),
    () => (parameter[0] = name.replace(/^\w+/, randomName(random))),
    () => (parameter[0] = `${name}[${randomName(random)}]`),
    () =>
      (parameter[0] =
        name + random.pick(['[]', '[', ']', '[0]', '$ne', '$', '.', '[or][0]'].map((text) => text.repeat(random.pick([1, 1, 12, 500]))))),
    () => (parameter[1] = `${value},${value}`.repeat(random.pick([1, 60]))),
    () => draft.parameters.push([name, random.chance(0.5) ? value : randomParameter(random)]),
  ])();
};

const FAMILIES = ['filter', 'sort', 'page', 'include', 'fields', 'includePage', 'includeSort', 'includeFilter', 'q', 'meta', 'x'];

const addParameter: Mutation = (random, draft) => {
  const inner = random.pick([
    '',
    '[id]',
    '[limit]',
    '[after]',
    '[size]',
    '[or][0][id]',
    '[title$contains]',
    '[post]',
    `[${randomName(random)}]`,
  ]);
  const name = random.pick(FAMILIES) + inner;
  const count = random.chance(0.05) ? random.pick([100, 1000, 3000]) : 1;
  for (let index = 0; index < count; index += 1) {
    // Thousands of long names would take a hundred megabytes.
    draft.parameters.push(count > 1 ? [`${name.slice(0, 100)}${index}`, 'x'] : [name, randomParameter(random)]);
  }
};

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'QUERY',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'M-SEARCH',
  'get',
  'CONNECT',
  'FOO',
];

const changeMethod: Mutation = (random, draft) => void (draft.method = random.pick(METHODS));

const changePath: Mutation = (random, { segments }) => {
  const at = 2 + random.below(Math.max(1, segments.length - 2));
  const segment = segments[at] ?? '';
  random.pick([
    () => (segments[at] = randomName(random)),
    () => (segments[at] = inAnyCase(random, segment)),
    () =>
      (segments[at] = segment + random.pick(['/', '\u0000', ' ', '.json', ';x=1', '..', '%', '\\', '_', '/relationships', '1e400', '?'])),
    () => segments.splice(at, 0, randomName(random)),
    () => segments.splice(at, 1),
    () => segments.push(random.pick(['relationships', 'author', 'posts', '', '1', randomName(random)])),
    () => (segments[at] = random.pick(['1', '-1', '0', '99999999999999999999', '1.5', '1e1', 'x'.repeat(3000)])),
  ])();
};

const replaceBody: Mutation = (random, draft) => {
  draft.body = random.pick([
    () => undefined,
    () => '',
    () => randomJson(random),
    () => `{"data":${randomJson(random)}}`,
    () => `{"atomic:operations":[${randomJson(random)}]}`,
    () => `[{"model":"post","op":"findMany","args":${randomJson(random)}}]`,
    () => `{"where":${randomJson(random)},"meta":{"serialization":{"values":{"where":${randomJson(random)}}}}}`,
    () => 'a=1&b[__proto__]=2',
    () => '\u0000\u0001\u0002',
    () => 'x'.repeat(random.pick([1, 1000, 200_000, 1_100_000])),
  ])();
};

const MUTATIONS: readonly Mutation[] = [
  ...[changeJson, changeJson, changeJson, changeJson, changeJson, changeParameter, changeParameter, addParameter, changeMethod, changePath],
  replaceBody,
  mutateHeaders,
  (random, draft) => void (draft.encoding = randomEncoding(random)),
];
