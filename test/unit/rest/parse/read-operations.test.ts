import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../../lib/errors/api-error.js';
import { countOperations, readOperations, type RequestedOperations } from '../../../../lib/rest/parse/operations/read-operations.js';

const SETTINGS = { endpoint: 'https://api.example/rest', strict: false };

function read(body: unknown, strict = false): RequestedOperations {
  return readOperations(() => body, { ...SETTINGS, strict });
}

const bodyOf = (...operations: readonly unknown[]): object => ({ 'atomic:operations': operations });

/** `code pointer: detail` of a fault. */
function textOf(fault: unknown): string {
  if (!(fault instanceof ApiError)) return 'no fault';
  const [{ code, source, detail }] = fault.problems;
  return `${code} ${source && 'pointer' in source ? source.pointer : 'nowhere'}: ${detail}`;
}

/** The name of an operation, its path parameters and the member that names its target; or its fault. */
function entryOf(operation: unknown, strict = false): unknown {
  const [entry] = read(bodyOf(operation), strict).entries;
  return !entry || entry instanceof ApiError ? textOf(entry) : [entry.operation.operation, entry.params, entry.at];
}

const TAG = { type: 'tag', id: '1' };
const TAGS = { type: 'post', id: '1', relationship: 'tags' };

describe('readOperations', () => {
  it.each<[object, unknown]>([
    [{ op: 'add', data: { type: 'tag' } }, ['createResource', { type: 'tag' }, '/data']],
    [{ op: 'add', href: '/tag', data: {} }, ['createResource', { type: 'tag' }, '/href']],
    [{ op: 'update', data: TAG }, ['updateResource', TAG, '/data']],
    [{ op: 'update', data: { type: 'tag', id: 1 } }, ['updateResource', TAG, '/data']],
    [{ op: 'update', data: { type: 'tag', lid: 'a' } }, ['updateResource', { type: 'tag', lid: 'a' }, '/data']],
    [{ op: 'update', data: { type: 'tag', id: '..' } }, ['updateResource', { type: 'tag', id: '\\..' }, '/data']],
    [{ op: 'update', ref: TAG, data: TAG }, ['updateResource', TAG, '/ref']],
    [{ op: 'update', href: '/tag/1', data: TAG }, ['updateResource', TAG, '/href']],
    [{ op: 'remove', ref: TAG }, ['deleteResource', TAG, '/ref']],
    [{ op: 'remove', ref: { type: 'tag', lid: 'a' } }, ['deleteResource', { type: 'tag', lid: 'a' }, '/ref']],
    [{ op: 'remove', href: 'https://api.example/rest/tag/1' }, ['deleteResource', TAG, '/href']],
    [{ op: 'remove', href: 'https://api.example/tag/1' }, ['deleteResource', TAG, '/href']],
    [{ op: 'remove', href: 'HTTPS://API.example:443/rest/tag/1' }, ['deleteResource', TAG, '/href']],
    [{ op: 'remove', href: '/rest/tag/a%2Fb' }, ['deleteResource', { type: 'tag', id: 'a/b' }, '/href']],
    [{ op: 'update', href: '/rest/1', data: {} }, "invalid-payload /href: There is no 'update' of a collection."],
    [{ op: 'add', ref: TAGS, data: [] }, ['addToRelationship', TAGS, '/ref']],
    [{ op: 'update', ref: TAGS, data: [] }, ['replaceRelationship', TAGS, '/ref']],
    [{ op: 'remove', href: '/post/1/relationships/tags', data: [] }, ['removeFromRelationship', TAGS, '/href']],
  ])('reads %j', (operation, expected) => {
    expect(entryOf(operation)).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [null, ': An operation must be an object.'],
    [{ data: TAG }, ": The op of an operation is 'add', 'update' or 'remove'."],
    [{ op: 'replace', data: TAG }, "/op: The op of an operation is 'add', 'update' or 'remove'."],
    [{ op: 'remove', ref: TAG, href: '/tag/1' }, ': An operation has a ref or an href, not both.'],
    [{ op: 'remove', href: '/tag' }, "/href: There is no 'remove' of a collection."],
    [{ op: 'add', href: '/tag/1', data: TAG }, "/href: There is no 'add' of a resource."],
    [{ op: 'add', ref: TAG }, "/ref: There is no 'add' of a resource."],
    [{ op: 'remove', ref: 'tag' }, '/ref: The ref of an operation must be an object.'],
    [{ op: 'remove', ref: { id: '1' } }, '/ref: The ref of an operation needs a type, which is a string.'],
    [{ op: 'remove', ref: { type: 'tag' } }, '/ref: The ref of an operation needs an id or a lid.'],
    [{ op: 'remove', ref: { type: 'tag', lid: 1 } }, '/ref/lid: A lid must be a string.'],
    [{ op: 'remove', ref: { ...TAG, lid: 'a' } }, '/ref/lid: A lid stands where the id is left out: give one of them.'],
    [{ op: 'update', ref: { ...TAG, relationship: 1 }, data: [] }, '/ref/relationship: The relationship must be a string.'],
    [{ op: 'remove' }, ": A 'remove' needs a ref or an href."],
    [{ op: 'update' }, ": This 'update' needs data, which is a resource object."],
    [{ op: 'add', data: [] }, "/data: This 'add' needs data, which is a resource object."],
    [{ op: 'add', data: {} }, '/data: The resource object needs a type, which is a string.'],
    [{ op: 'update', data: { type: 'tag' } }, "/data: An 'update' without ref and href needs the id or the lid of its resource."],
    [{ op: 'remove', href: 5 }, '/href: The href of an operation must be a string.'],
    [{ op: 'remove', href: 'tag/1' }, '/href: The href of an operation must begin with a slash or with the URL of the API.'],
    [{ op: 'remove', href: '/tag/1?x' }, '/href: The href of an operation takes no query and no fragment.'],
    [{ op: 'remove', href: '/tag/1#x' }, '/href: The href of an operation takes no query and no fragment.'],
    [{ op: 'remove', href: 'https://evil.example/rest/tag/1' }, '/href: The href of an operation leads to another origin.'],
    [{ op: 'remove', href: 'http://api.example/rest/tag/1' }, '/href: The href of an operation leads to another origin.'],
    [{ op: 'remove', href: '//api.example/rest/tag/1' }, '/href: The href of an operation leads to another origin.'],
    [{ op: 'remove', href: 'https://[/tag/1' }, '/href: The href of an operation leads to another origin.'],
    [{ op: 'remove', href: '/tag/%E0%A4%A' }, '/href: The href of an operation is not percent-encoded UTF-8.'],
    ...['/', '/tag//', '/tag/', '/post/1/tags', '/post/1/links/tags', '/post/1/relationships/tags/2'].map((href): [unknown, string] => [
      { op: 'remove', href },
      '/href: The href of an operation leads to a collection, a resource or a relationship: /post, /post/1, /post/1/relationships/tags.',
    ]),
  ])('refuses %j, at its place', (operation, problem) => {
    expect(entryOf(operation)).toBe(`invalid-payload ${problem}`);
  });

  it.each<[string, object, object, unknown]>([
    ['takes one of the same resource (AO-19)', TAG, { ...TAG, attributes: {} }, { ...TAG, attributes: {} }],
    ['takes one of the same type in other letters', { type: 'Tag' }, { type: 'tag' }, { type: 'tag' }],
    ['takes one that gives the lid', { type: 'tag', lid: 'a' }, { type: 'tag' }, { type: 'tag', lid: 'a' }],
    ['takes one with the same lid', { type: 'tag', lid: 'a' }, { type: 'tag', lid: 'a' }, { type: 'tag', lid: 'a' }],
    ['refuses another type', { type: 'post' }, TAG, 'type-conflict /ref: The types of ref and data differ.'],
    ['refuses a type that is no text', { type: 1 }, { type: 1 }, 'type-conflict /ref: The types of ref and data differ.'],
    ['refuses another id', TAG, { ...TAG, id: '2' }, 'id-conflict /ref: The resources that ref and data name differ.'],
    ['refuses an id that the data lack', TAG, { type: 'tag' }, 'id-conflict /ref: The resources that ref and data name differ.'],
    [
      'refuses another lid',
      { type: 'tag', lid: 'a' },
      { type: 'tag', lid: 'b' },
      'id-conflict /ref: The resources that ref and data name differ.',
    ],
  ])('%s, in the ref beside a resource to add', (_, ref, data, expected) => {
    const [entry] = read(bodyOf({ op: 'add', ref, data })).entries;
    if (!entry || entry instanceof ApiError) expect(textOf(entry)).toBe(expected);
    else expect([entry.operation.operation, entry.at, entry.document]).toEqual(['createResource', '/data', { op: 'add', data: expected }]);
  });

  it('in strict mode refuses ids that are numbers, and a ref beside a resource to add', () => {
    expect(entryOf({ op: 'remove', ref: { type: 'tag', id: 1 } }, true)).toBe('invalid-payload /ref/id: An id must be a string.');
    expect(entryOf({ op: 'update', data: { type: 'tag', id: 1 } }, true)).toBe('invalid-payload /data/id: An id must be a string.');
    expect(entryOf({ op: 'add', ref: TAG, data: TAG }, true)).toBe("invalid-payload /ref: An 'add' of a resource takes no ref.");
    expect(entryOf({ op: 'add', ref: TAGS, data: [] }, true)).toEqual(['addToRelationship', TAGS, '/ref']);
  });

  it.each<[unknown, string, number]>([
    [[], ': The body must be a JSON object.', 0],
    [{}, ": The body needs the member 'atomic:operations'.", 0],
    [bodyOf(), '/atomic:operations: The operations must be an array of at least one.', 0],
    [{ 'atomic:operations': {} }, '/atomic:operations: The operations must be an array of at least one.', 0],
    ...['data', 'included', 'errors', 'atomic:results'].map((member): [unknown, string, number] => [
      { ...bodyOf({}), [member]: null },
      `/${member}: A request has no member '${member}' beside 'atomic:operations'.`,
      0,
    ]),
  ])('finds no operations in %j', (body, problem, count) => {
    const { entries, fault } = read(body);
    expect([entries, textOf(fault)]).toEqual([[], `invalid-payload ${problem}`]);
    expect(countOperations(() => body)).toBe(count);
  });

  it('counts operations before it reads them, and reads each by itself', () => {
    const body = bodyOf({ op: 'remove', ref: TAG }, null, { op: 'add', data: { type: 'tag' } });
    expect(countOperations(() => body)).toBe(3);
    const { entries, fault } = read(body);
    expect([entries.map((entry) => entry instanceof ApiError), fault]).toEqual([[false, true, false], undefined]);
  });

  it('throws an error that is not of the request', () => {
    const unreadable = {
      op: 'remove',
      get ref(): never {
        throw new RangeError('not of the request');
      },
    };
    expect(read(bodyOf(unreadable)).fault).toEqual(new RangeError('not of the request'));
  });
});
