import { gzipSync } from 'node:zlib';
import { randomName, randomParameter } from './hostile-values.js';
import type { Draft } from './mutate-request.js';
import type { Random } from './random.js';

const TYPES = [
  ...[
    'application/vnd.api+json',
    'application/json',
    'application/json; charset=utf-16',
    'application/json;charset=x',
    'APPLICATION/JSON',
    'text/plain',
    'text/html',
    '*/*',
    '',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"',
    'application/vnd.api+json;ext="x"',
  ],
  ...[
    'application/vnd.api+json;profile="x"',
    'application/vnd.api+json; charset=utf-8',
    'application/vnd.api+json;ext="',
    'application/json;a="\\',
    'text/csv',
    'application/x-ndjson',
    'nonsense',
    ';;;',
    'a/b;q=1e400',
  ],
];

const VALUES = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e400',
    'x',
    '*',
    '"x"',
    'W/"x"',
    '"',
    '"a","b"',
    ',,,',
    ';',
    'null',
    '__proto__',
    'constructor',
    '\xff\xfe',
    'a\tb',
    '<script>',
    '../..',
    'GET',
    'DELETE',
    'TRACE',
  ],
  ...[
    'return=minimal',
    'return=representation',
    'return=x;y=z',
    'wait=10',
    'bytes=0-1',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    '{"a":1}',
    '100-continue',
    'close',
    'upgrade',
    'websocket',
    'gzip',
    'gzip, gzip',
    'br',
    'rot13',
  ],
];

const NAMES = [
  ...[
    'Prefer',
    'If-Match',
    'If-None-Match',
    'If-Modified-Since',
    'Idempotency-Key',
    'X-HTTP-Method-Override',
    'Content-Encoding',
    'Accept-Encoding',
    'Accept-Language',
    'Range',
    'Origin',
    'Referer',
  ],
  ...[
    'Host',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'Forwarded',
    'Cookie',
    'Authorization',
    'Upgrade',
    'Connection',
    'Traceparent',
    'Tracestate',
    'Baggage',
    '__proto__',
    'constructor',
    'toString',
    'X-Request-Id',
    'If',
  ],
];

/** Changes a header, or sends one twice, too large or wrong. */
export function mutateHeaders(random: Random, draft: Draft): void {
  random.pick(HEADER_MUTATIONS)(random, draft);
}

const HEADER_MUTATIONS: readonly ((random: Random, draft: Draft) => void)[] = [
  (random, draft) => {
    replaceHeader(draft, 'Content-Type', random.pick(TYPES));
  },
  (random, draft) => {
    replaceHeader(
      draft,
      'Accept',
      random.chance(0.7)
        ? random.pick(TYPES)
        : Array(random.pick([2, 300]))
            .fill(random.pick(TYPES))
            .join(),
    );
  },
  (random, draft) => {
    draft.headers.push([random.pick(NAMES), random.pick(VALUES)]);
  },
  (random, draft) => {
    draft.headers.push([random.pick(NAMES), headerText(randomParameter(random))]);
  },
  (random, draft) => {
    const [name, value] = random.pick([['Accept', '*/*'] as const, ...draft.headers]);
    draft.headers.push([name, random.chance(0.5) ? random.pick(VALUES) : value]);
  },
  (random, draft) => {
    const count = random.pick([1, 50, 500, 2500]);
    for (let index = 0; index < count; index += 1) draft.headers.push([`X-${index}`, 'x']);
  },
  (random, draft) => {
    draft.headers.push([`X-${headerText(randomName(random)).replace(/[^\w-]/g, '-')}`, 'x'.repeat(random.pick([1, 8000, 20_000]))]);
  },
  (random, draft) => {
    draft.body = gzipSync(draft.body ?? '{}').toString('latin1');
    draft.headers.push(['Content-Encoding', random.pick(['gzip', 'deflate', 'br', 'GZIP'])]);
  },
  misframe,
];

/** Sets a wrong length of the body. */
function misframe(random: Random, draft: Draft): void {
  draft.isMisframed = true;
  const length = (draft.body ?? '').length;
  draft.headers.push(
    random.pick<[string, string]>([
      ['Content-Length', String(length + 10)],
      ['Content-Length', String(Math.max(0, length - 3))],
      ['Content-Length', '-1'],
      ['Content-Length', '1e3'],
      ['Content-Length', '9'.repeat(30)],
      ['Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'gzip'],
      ['Transfer-Encoding', ' chunked, identity'],
    ]),
  );
}

function replaceHeader(draft: Draft, name: string, value: string): void {
  draft.headers = [...draft.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase()), [name, value]];
}

/** Removes bytes that may not be in a header. */
function headerText(text: string): string {
  return Buffer.from(text.slice(0, 2000))
    .toString('latin1')
    .replace(/[\r\n\0]/g, ' ');
}
