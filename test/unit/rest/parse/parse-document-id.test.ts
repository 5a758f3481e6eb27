import { describe, expect, it } from '@jest/globals';
import { errorOf, problemsOf } from '../write-fixture.js';
import { create, linkageOf, linkWith, patchWith, POST, update, user, valuesOf } from './parse-document-helpers.js';

describe('parseDocumentId', () => {
  const country = (more: object): unknown => ({ data: { type: 'country', attributes: { name: 'France' }, ...more } });

  it.each([undefined, null, 7, '7'])("takes an update with the id %s: absent, or the URL's (D2, D17)", (id) => {
    expect(update({ data: { type: 'post', id } })).toMatchObject({ kind: 'update', id: { values: { id: 7 }, text: '7' } });
  });

  it.each([8, '8', 'x', '7.0', ''])('answers 409 to an update with the id %j (UP-02)', (id) => {
    const error = errorOf(() => update({ data: { type: 'post', id } }));
    expect(error).toMatchObject({ status: 409, problems: [{ code: 'id-conflict', source: { pointer: '/data/id' } }] });
  });

  it('refuses an id that is neither text nor number', () => {
    expect(problemsOf(() => update({ data: { type: 'post', id: [7] } }))).toEqual(["invalid-payload '/data/id'"]);
    expect(problemsOf(() => update({ data: { type: 'post', id: { not: 0 } } }))).toEqual(["invalid-payload '/data/id'"]);
  });

  it.each([
    ['id', { id: '3' }],
    ['a number as id', { id: 3 }],
  ])('answers 403 to %s in a create where the server makes ids (CR-02)', (_, more) => {
    expect(errorOf(() => create({ data: { ...POST, ...more } }))).toMatchObject({
      status: 403,
      problems: [{ code: 'client-id-forbidden', source: { pointer: '/data/id' } }],
    });
  });

  it('answers 403 to the attribute named like the id as well (D18)', () => {
    const body = { data: { type: 'post', attributes: { ...POST.attributes, id: 3 } } };
    expect(problemsOf(() => create(body))).toEqual(["client-id-forbidden '/data/attributes/id'"]);
    expect(problemsOf(() => update(patchWith({ id: 8 })))).toEqual(["client-id-forbidden '/data/attributes/id'"]);
  });

  it('accepts the id of the URL as an attribute of an update', () => {
    expect(valuesOf(update(patchWith({ id: 7, title: 'B' })))).toEqual({ id: 7, title: 'B' });
  });

  it('takes a client id where the id has no default, as the member or as the attribute (D18)', () => {
    expect(valuesOf(create(country({ id: 'FR' }), { type: 'country' }))).toEqual({ code: 'FR', name: 'France' });
    expect(valuesOf(create(country({ attributes: { code: 'FR', name: 'France' } }), { type: 'country' }))).toEqual({
      code: 'FR',
      name: 'France',
    });
  });

  it('takes the id and the attribute where they agree, and refuses them where they do not', () => {
    const both = (code: string): unknown => country({ id: 'FR', attributes: { code, name: 'France' } });
    expect(valuesOf(create(both('FR'), { type: 'country' }))).toEqual({ code: 'FR', name: 'France' });
    expect(problemsOf(() => create(both('DE'), { type: 'country' }))).toEqual(["invalid-payload '/data/attributes/code'"]);
  });

  it('requires the id of a create where neither the server nor a default makes it', () => {
    expect(problemsOf(() => create(country({}), { type: 'country' }))).toEqual(["invalid-payload '/data'"]);
    expect(problemsOf(() => create(country({ id: '' }), { type: 'country' }))).toEqual(["invalid-id '/data/id'"]);
  });

  it('allows, requires or refuses client ids by the option clientIds', () => {
    expect(valuesOf(create({ data: { ...POST, id: '3' } }, { resources: { Post: { clientIds: 'allowed' } } }))).toMatchObject({ id: 3 });
    expect(valuesOf(create({ data: POST }, { resources: { Post: { clientIds: 'allowed' } } }))).not.toHaveProperty('id');
    expect(problemsOf(() => create({ data: POST }, { resources: { Post: { clientIds: 'required' } } }))).toEqual([
      "invalid-payload '/data'",
    ]);
    expect(
      problemsOf(() => create(country({ id: 'FR' }), { type: 'country', resources: { Country: { clientIds: 'forbidden' } } })),
    ).toEqual(["client-id-forbidden '/data/id'"]);
  });

  it('reads compound ids', () => {
    const line = { data: { type: 'line', id: '9007199254740993_2' } };
    expect(valuesOf(create(line, { type: 'line' }))).toEqual({ orderId: 9007199254740993n, productId: 2 });
    expect(update(line, { type: 'line', id: '9007199254740993_2' })).toMatchObject({ kind: 'update' });
    expect(problemsOf(() => update(line, { type: 'line', id: '1_2' }))).toEqual(["id-conflict '/data/id'"]);
    expect(problemsOf(() => create({ data: { type: 'line', id: '1' } }, { type: 'line' }))).toEqual(["invalid-id '/data/id'"]);
  });

  it('reads the external id, in the document and in linkage', () => {
    const resources = { User: { externalId: 'email' } };
    const body = { data: { type: 'user', id: 'a@b.c', attributes: {} } };
    expect(valuesOf(create(body, { type: 'user', resources }))).toEqual({ email: 'a@b.c' });
    expect(linkageOf(update(linkWith({ author: { data: user('a@b.c') } }), { resources }))).toEqual({ author: ['a@b.c'] });
    const withKey = { data: { type: 'user', id: 'a@b.c', attributes: { id: 5 } } };
    expect(problemsOf(() => create(withKey, { type: 'user', resources }))).toEqual(["client-id-forbidden '/data/attributes/id'"]);
  });

  it('ignores a lid of the resource itself: nothing refers to it', () => {
    expect(valuesOf(create({ data: { ...POST, lid: 'a' } }))).toEqual(POST.attributes);
  });
});
