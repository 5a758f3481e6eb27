import { sample } from '../../support/sample.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import fc from 'fast-check';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** Plain characters, characters that JSON or a pointer escapes, that have a meaning in names, and a lone surrogate. */
const CHARACTERS = ['a', 'Z', 'é', '😀', '"', '~', '/', '\u0001', '.', ',', '[', '$', ' ', '\\', '\ud800'];

/** Texts that begin like a name, up to a length. */
const textUpTo = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', 'title', 'author', 'x'), fc.constantFrom(...CHARACTERS), fc.integer({ min: 0, max: maxLength }))
    .map(([start, character, length]) => start + character.repeat(length));

const JSON_TYPE = { 'Content-Type': 'application/json' };

function bodyOf(path: string, body: unknown, method: OutgoingRequest['method'] = 'POST'): OutgoingRequest {
  return { method, path: `/api${path}`, headers: JSON_TYPE, body: JSON.stringify(body) };
}

type Template = (text: string) => OutgoingRequest;

/** Returns thirty items with different texts, which have more faults than a response lists. */
const thirty = <Item>(text: string, item: (text: string) => Item): Item[] =>
  Array.from({ length: 30 }, (_, index) => item(`${text}${index}`));
const members = (text: string, value: unknown): object => Object.fromEntries(thirty(text, (name) => [name, value]));
const post = (more: object): object => ({ data: { type: 'post', id: 1, ...more } });

const BODIES: Readonly<Record<string, Template>> = {
  'an attribute': (text) => bodyOf('/rest/post', post({ attributes: { [text]: 1 } })),
  'an attribute named as a relationship': (text) => bodyOf('/rest/post', post({ relationships: { title: text, [text]: {} } })),
  'attributes': (text) => bodyOf('/rest/post', post({ attributes: members(text, 1) })),
  'the value of an attribute': (text) => bodyOf('/rest/post/1', post({ attributes: { views: text, title: { [text]: 1 } } }), 'PATCH'),
  'a relationship': (text) => bodyOf('/rest/post', post({ relationships: { [text]: { data: null } } })),
  'relationships': (text) => bodyOf('/rest/post', post({ relationships: members(text, { data: null }) })),
  'a type': (text) => bodyOf('/rest/post', { data: { type: text } }),
  'an id': (text) => bodyOf('/rest/post/1', { data: { type: 'post', id: text } }, 'PATCH'),
  'the type of linkage': (text) => bodyOf('/rest/post/1/relationships/tags', { data: thirty(text, (type) => ({ type, id: 1 })) }),
  'a text id of linkage': (text) => bodyOf('/rest/warehouse/1/relationships/country', { data: { type: 'country', id: text } }, 'PATCH'),
  'the id of linkage': (text) => bodyOf('/rest/post/1/relationships/tags', { data: [{ type: 'tag', id: text }] }),
  'a text id': (text) => bodyOf('/rest/setting', { data: { type: 'setting', id: text, attributes: { [text]: text } } }),
  'a match': (text) => bodyOf('/rest/post', { ...post({}), meta: { operation: 'upsert', matchFields: thirty(text, String) } }),
  'an operation of meta': (text) => bodyOf('/rest/post', { ...post({}), meta: { operation: text } }),
  'a path of metadata': (text) => bodyOf('/rest/post', { ...post({}), meta: { serialization: { values: { [text]: ['Date'] } } } }),
  'a type of metadata': (text) => bodyOf('/rest/post', { ...post({}), meta: { serialization: { values: { data: [text] } } } }),
  'an argument': (text) => bodyOf('/rpc/post/create', { [text]: 1 }),
  'arguments': (text) => bodyOf('/rpc/post/create', { data: {}, ...members(text, 1) }),
  'data': (text) => bodyOf('/rpc/post/create', { data: { title: 'x', [text]: 1 } }),
  'a value of data': (text) => bodyOf('/rpc/post/create', { data: { title: 'x', views: text } }),
  'a nested write': (text) => bodyOf('/rpc/post/create', { data: { title: 'x', author: { [text]: {} } } }),
  'a nested record': (text) => bodyOf('/rpc/post/create', { data: { title: 'x', author: { create: { [text]: {} } } } }),
  'a selection': (text) => bodyOf('/rpc/post/create', { data: { title: 'x' }, include: { author: { select: { [text]: true } } } }),
  'a where': (text) => bodyOf('/rpc/post/updateMany', { where: { OR: [{ author: { is: { [text]: 1 } } }] }, data: {} }, 'PATCH'),
  'an operator': (text) => bodyOf('/rpc/post/updateMany', { where: { title: { not: { [text]: 1 } } }, data: {} }, 'PATCH'),
  'metadata of RPC': (text) => bodyOf('/rpc/post/create', { data: {}, meta: { serialization: { values: { [text]: [text] } } } }),
  'a model of a batch': (text) => bodyOf('/rpc/$transaction/sequential', [{ model: text, op: 'findMany' }]),
  'an operation of a batch': (text) => bodyOf('/rpc/$transaction/sequential', [{ model: 'post', op: text }]),
  'a member of a batch': (text) => bodyOf('/rpc/$transaction/sequential', [{ model: 'post', op: 'findMany', [text]: 1 }]),
  'an argument of a batch': (text) => bodyOf('/rpc/$transaction/sequential', [{ model: 'post', op: 'count', args: { [text]: 1 } }]),
  'a batch that is no list': (text) => bodyOf('/rpc/$transaction/sequential', { [text]: 1 }),
};

const url = (path: string, method: OutgoingRequest['method'] = 'GET'): OutgoingRequest => ({ method, path: `/api${path}` });
const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, 'x'));

const URLS: Readonly<Record<string, Template>> = {
  'a type': (text) => url(`/rest/${encode(text)}`),
  'an id': (text) => url(`/rest/post/${encode(text)}`),
  'an id that may be one': (text) => url(`/rest/setting/${encode(text)}`),
  'an id to delete': (text) => url(`/rest/setting/${encode(text)}`, 'DELETE'),
  'a relationship': (text) => url(`/rest/post/1/${encode(text)}`),
  'linkage': (text) => url(`/rest/post/1/relationships/${encode(text)}`),
  'a parameter': (text) => url(`/rest/post?${encode(text)}=1`),
  'parameters of a family': (text) => url(`/rest/post?${thirty(text.slice(0, 30), (name) => `filter[${encode(name)}]=1`).join('&')}`),
  'a parameter twice': (text) => url(`/rest/post?fields[${encode(text)}]=1&fields[${encode(text)}]=1`),
  'a filter': (text) => url(`/rest/post?filter[${encode(text)}]=1`),
  'a hop of a filter': (text) => url(`/rest/post?filter[author][${encode(text)}]=1`),
  'an operator': (text) => url(`/rest/post?filter[title$${encode(text)}]=1`),
  'a value of a filter': (text) =>
    url(`/rest/post?filter[views]=${encode(text)}&filter[author]=${encode(text)}&filter[id$null]=${encode(text)}`),
  'a key of a page': (text) => url(`/rest/post?page[${encode(text)}]=1`),
  'a page': (text) => url(`/rest/post?page[limit]=${encode(text)}`),
  'a sort': (text) => url(`/rest/post?sort=${encode(text)}`),
  'sorts': (text) => url(`/rest/post?sort=${thirty(encode(text.slice(0, 40)), String).join(',')}`),
  'an include': (text) => url(`/rest/post?include=${encode(text)}`),
  'a hop of an include': (text) => url(`/rest/post?include=author.${encode(text)}`),
  'fields': (text) => url(`/rest/post?fields[post]=${encode(text)}`),
  'fields of a type': (text) => url(`/rest/post?fields[${encode(text)}]=title`),
  'a model': (text) => url(`/rpc/${encode(text)}/findMany`),
  'an operation': (text) => url(`/rpc/post/${encode(text)}`),
  'a parameter of RPC': (text) => url(`/rpc/post/findMany?${encode(text)}=1`),
  'q': (text) => url(`/rpc/post/findMany?q=${encode(text)}`),
  'a where in q': (text) => url(`/rpc/post/findMany?q=${encode(JSON.stringify({ where: { [text]: 1 } }))}`),
  'a path that is not encoded': (text) => url(`/rest/post/%zz${encode(text)}`),
  'a method': (text) => ({ ...url('/rest/post', 'POST'), headers: { 'X-HTTP-Method-Override': text.replace(/[^ -~]/g, 'x') } }),
  'a method of RPC': (text) => ({
    ...url('/rpc/post/findMany', 'POST'),
    headers: { 'X-HTTP-Method-Override': text.replace(/[^ -~]/g, 'x') },
  }),
  'a media type': (text) => ({
    ...url('/rest/post', 'POST'),
    headers: { 'Content-Type': `application/vnd.api+json;${text.replace(/[^ -~]/g, 'x')}` },
    body: '{}',
  }),
};

/** The maximal size of one fault. A response lists at most twenty. */
const LARGEST_FAULT = 2048;

/** A client without a database, which returns no rows. */
const NOTHING = new Proxy(
  {},
  {
    get: (_, name) =>
      name === '$transaction' ? undefined : { findMany: () => [], findUnique: () => null, delete: refuse, update: refuse, count: () => 0 },
  },
);

function refuse(): never {
  throw Object.assign(new Error('There is no such record.'), { name: 'PrismaClientKnownRequestError', code: 'P2025' });
}

onPlatforms('an error response', (platform) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ platform, options: { getClient: () => NOTHING } });
  });

  afterAll(() => app.close());

  async function requireSmall(template: Template, text: string): Promise<void> {
    const { status, text: answer } = await sendRequest(app.agent, template(text));
    expect(status).toBeLessThan(500);
    // Errors of Fastify before any route contain the URL, whose length Node limits.
    if (status < 400 || answer.includes('FST_ERR_')) return;
    const { errors = [answer] } = JSON.parse(answer) as { readonly errors?: readonly unknown[] };
    expect(errors.length).toBeLessThanOrEqual(20);
    expect(Buffer.byteLength(answer)).toBeLessThan(LARGEST_FAULT * errors.length);
  }

  it.each(Object.entries(BODIES))('is small for any text in a body as %s', async (_, template) => {
    await requireSmall(template, 'x'.repeat(30_000));
    await fc.assert(
      fc.asyncProperty(textUpTo(5000), (text) => requireSmall(template, text)),
      { numRuns: sample.choose(2, 10) },
    );
  });

  it.each(Object.entries(URLS))('is small for any text in a URL as %s', async (_, template) => {
    await requireSmall(template, 'x'.repeat(5000));
    await fc.assert(
      fc.asyncProperty(textUpTo(300), (text) => requireSmall(template, text)),
      { numRuns: sample.choose(2, 10) },
    );
  });
});
