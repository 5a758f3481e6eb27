import { describe, expect, it, jest } from '@jest/globals';
import { DB_NULL, JSON_NULL } from '../../../../lib/model/values/json-value.js';
import { errorOf, problemsOf } from '../write-fixture.js';
import { create, update, valuesOf, patchWith } from './parse-document-helpers.js';

describe('parseAttributes', () => {
  it.each([
    ['text', { title: 'B' }, { title: 'B' }],
    ['an int', { year: 2024 }, { year: 2024 }],
    ['a big int as text', { views: '9007199254740993' }, { views: 9007199254740993n }],
    ['a big int as a safe number', { views: 12 }, { views: 12n }],
    ['a decimal', { price: '12.300000000000000000001' }, { price: '12.300000000000000000001' }],
    ['a date', { publishedAt: '2024-01-31T10:00:00Z' }, { publishedAt: new Date('2024-01-31T10:00:00Z') }],
    ['bytes', { cover: 'AQID' }, { cover: new Uint8Array([1, 2, 3]) }],
    ['null', { price: null }, { price: null }],
    ['a list', { keywords: ['a', 'b'] }, { keywords: ['a', 'b'] }],
    ['an empty list', { keywords: [] }, { keywords: [] }],
    ['null in an optional Json field: the database null', { metadata: null }, { metadata: DB_NULL }],
    ['null in a required Json field: the JSON value', { layout: null }, { layout: JSON_NULL }],
    ['a foreign key (D6)', { authorId: 3, categoryId: null }, { authorId: 3, categoryId: null }],
    ['nothing', {}, {}],
  ])('reads %s', (_, attributes, values) => {
    expect(valuesOf(update(patchWith(attributes)))).toEqual(values);
  });

  it('leaves Json values unchanged, with any keys', () => {
    const metadata = JSON.parse(
      '{"constructor": 1, "meta": {"serialization": []}, "data": null, "set": [1], "__proto__": {"a": [null]}}',
    ) as object;
    expect(valuesOf(update(patchWith({ metadata })))['metadata']).toBe(metadata);
  });

  it.each([
    ['an unknown one', { nothing: 1 }, "invalid-payload '/data/attributes/nothing'"],
    ['one that every object has', { toString: 1 }, "invalid-payload '/data/attributes/toString'"],
    ['one in other letters', { TITLE: 'x' }, "invalid-payload '/data/attributes/TITLE'"],
    ['a relationship among them', { author: 1 }, "invalid-payload '/data/attributes/author'"],
    ['null where it is required', { title: null }, "invalid-value '/data/attributes/title'"],
    ['null as a list', { keywords: null }, "invalid-value '/data/attributes/keywords'"],
    ['a text as a list', { keywords: 'a' }, "invalid-value '/data/attributes/keywords'"],
    ['a null in a list', { keywords: ['a', null] }, "invalid-value '/data/attributes/keywords/1'"],
    ['a list as a text', { title: ['a'] }, "invalid-value '/data/attributes/title'"],
    ['an object as a text', { title: { set: 'a' } }, "invalid-value '/data/attributes/title'"],
    ['an operation as a number', { year: { increment: 1 } }, "invalid-value '/data/attributes/year'"],
    ['a number as a text', { title: 7 }, "invalid-value '/data/attributes/title'"],
    ['a text as a number', { year: '2024' }, "invalid-value '/data/attributes/year'"],
    ['a fraction as an integer', { year: 1.5 }, "invalid-value '/data/attributes/year'"],
    ['a date that does not exist', { publishedAt: '2023-02-30T00:00:00Z' }, "invalid-value '/data/attributes/publishedAt'"],
    ['a NUL character', { title: 'a\0' }, "invalid-value '/data/attributes/title'"],
    ['an extension member', { 'ext:title': 'x' }, "invalid-payload '/data/attributes/ext:title'"],
  ])('refuses %s', (_, attributes, problem) => {
    expect(problemsOf(() => update(patchWith(attributes)))).toEqual([problem]);
  });

  it('refuses a key that JSON.parse made of __proto__', () => {
    const body = JSON.parse('{"data": {"type": "post", "attributes": {"__proto__": {"title": "x"}}}}') as unknown;
    expect(problemsOf(() => update(body))).toEqual(["invalid-payload '/data/attributes/__proto__'"]);
  });

  it('does not read members from the prototype', () => {
    const body = JSON.parse('{"__proto__": {"data": {"type": "post"}}}') as unknown;
    expect(problemsOf(() => update(body))).toEqual(["invalid-payload ''"]);
  });

  it('names every element of a list that is wrong', () => {
    expect(problemsOf(() => update(patchWith({ keywords: [1, 'a', 2] })))).toEqual([
      "invalid-value '/data/attributes/keywords/0'",
      "invalid-value '/data/attributes/keywords/2'",
    ]);
  });

  it('refuses JSON that is nested too deep, rather than overflow', () => {
    const metadata = JSON.parse(`${'['.repeat(15_000)}${']'.repeat(15_000)}`) as unknown;
    expect(problemsOf(() => update(patchWith({ metadata })))).toEqual(["invalid-value '/data/attributes/metadata'"]);
  });

  it('counts what lists and Json values hold, all of them together, before it reads any', () => {
    const read = jest.fn(() => 1);
    const keywords = Object.defineProperty(['a', 'b', 'c'], 1, { get: read, enumerable: true });
    const refused = (attributes: unknown, maxValues: number): string[] =>
      problemsOf(() => update(patchWith(attributes), { limits: { maxValues } }));
    expect(refused({ keywords }, 2)).toEqual(["limit-exceeded '/data/attributes/keywords'"]);
    expect(refused({ metadata: { a: [1] }, keywords }, 4)).toEqual(["limit-exceeded '/data/attributes/keywords'"]);
    expect(refused({ metadata: { a: { b: [null] } }, title: 1 }, 2)).toEqual(["limit-exceeded '/data/attributes/metadata'"]);
    expect(read).not.toHaveBeenCalled();
    expect(valuesOf(update(patchWith({ metadata: [1, 2], keywords: ['a'] }), { limits: { maxValues: 3 } }))).toEqual({
      metadata: [1, 2],
      keywords: ['a'],
    });
  });

  it.each([
    ['a hidden one, as if it did not exist', { passwordHash: 'x' }, "invalid-payload '/data/attributes/passwordHash'"],
    ['one that is read only', { loginCount: 7 }, "invalid-payload '/data/attributes/loginCount'"],
    ['one that is immutable', { locale: 'de' }, "invalid-payload '/data/attributes/locale'"],
    ['a value that its enum lacks', { role: 'ADMIN' }, "invalid-value '/data/attributes/role'"],
  ])('refuses in an update: %s', (_, attributes, problem) => {
    expect(problemsOf(() => update({ data: { type: 'user', attributes } }, { type: 'user' }))).toEqual([problem]);
  });

  it('refuses a hidden attribute in the words for an unknown one', () => {
    const detail = (name: string): string =>
      errorOf(() => update({ data: { type: 'user', attributes: { [name]: 1 } } }, { type: 'user' })).message;
    expect(detail('passwordHash').replace('passwordHash', '?')).toBe(detail('passwordDash').replace('passwordDash', '?'));
  });

  it('takes an immutable one in a create', () => {
    expect(valuesOf(create({ data: { type: 'user', attributes: { email: 'a@b.c', locale: 'de' } } }, { type: 'user' }))).toEqual({
      email: 'a@b.c',
      locale: 'de',
    });
  });

  it('reads them by the name that the API gives them', () => {
    const resources = { Post: { fields: { title: { name: 'headline' } } } };
    expect(valuesOf(update(patchWith({ headline: 'B' }), { resources }))).toEqual({ title: 'B' });
    expect(problemsOf(() => update(patchWith({ title: 'B' }), { resources }))).toEqual(["invalid-payload '/data/attributes/title'"]);
  });
});
