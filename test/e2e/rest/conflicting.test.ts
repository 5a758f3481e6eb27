import { describeWrites, refusalOf, user } from './write-suite.js';

describeWrites('conflicts', { resources: { Order: { clientIds: 'allowed' } } }, (suite) => {
  const order = { number: 'B-1', address: {}, customerId: 4 };

  it.each([
    ['an id', { type: 'country', id: 'DE', attributes: { name: 'x' } }, '/data/id'],
    ['an id in a table of another name', { type: 'order', id: '1', attributes: order }, '/data/id'],
    ['a compound id', { type: 'translation', id: 'en_greeting', attributes: { text: 'x' } }, '/data/id'],
    [
      'the first part of a compound id',
      { type: 'translation', attributes: { text: 'x', locale: 'en', key: 'greeting' } },
      '/data/attributes/locale',
    ],
    ['an attribute whose column has another name', { type: 'order', attributes: { ...order, number: 'A-1' } }, '/data/attributes/number'],
    ['an attribute', { type: 'tag', attributes: { name: 'typescript' } }, '/data/attributes/name'],
    [
      'the first member of a compound key',
      { type: 'warehouse', attributes: { name: 'Basel', countryCode: 'CH' } },
      '/data/attributes/name',
    ],
    ['a foreign key', { type: 'profile', attributes: { userId: 1 } }, '/data/attributes/userId'],
    ['a relationship', { type: 'profile', relationships: { user: { data: user(1) } } }, '/data/relationships/user/data'],
  ])('CR-12: answer 409 to a create, pointing at %s', async (_, data, pointer) => {
    const response = await suite.app.rest.post(`/${data.type}`, { data });
    expect(refusalOf(response)).toEqual([409, `unique-conflict ${pointer}`]);
  });

  it('UP-12: answer 409 to an update, pointing at the only member of a compound key that the request has', async () => {
    const data = { type: 'warehouse', id: 'wh-central', attributes: { name: 'Basel' } };
    expect(refusalOf(await suite.app.rest.patch('/warehouse/wh-central', { data }))).toEqual([
      409,
      'unique-conflict /data/attributes/name',
    ]);
  });
});

describeWrites('conflicts of hidden fields', { resources: { Warehouse: { fields: { country: 'hidden' } } } }, (suite) => {
  it('point at the member of the request, and do not name the hidden field', async () => {
    const data = { type: 'warehouse', id: 'wh-central', attributes: { name: 'Basel' } };
    const response = await suite.app.rest.patch('/warehouse/wh-central', { data });
    expect(refusalOf(response)).toEqual([409, 'unique-conflict /data/attributes/name']);
    expect(response.text).not.toMatch(/country/i);
  });
});
