import { describe, expect, it } from '@jest/globals';
import type { FieldOption, ResourceOptions, ResourcesOption } from '../../../../lib/model/exposure/resources-option.js';
import { lettersOf, resourceOf } from '../model-of.js';
import { belongsTo, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../schema-builder.js';

describe('a foreign key to what is hidden', () => {
  const SCHEMA = schemaOf({
    User: modelOf(
      { id: ID, tenantId: scalar('Int'), email: scalar('String'), posts: hasMany('Post', 'author'), profile: hasMany('Profile', 'user') },
      { uniqueKeys: [keyOf('email'), keyOf('tenantId', 'id')] },
    ),
    Profile: modelOf(
      {
        userId: scalar('Int'),
        handle: scalar('String'),
        user: belongsTo('User', 'profile', { fields: ['userId'] }),
        notes: hasMany('Note', 'profile'),
      },
      { primaryKey: keyOf('userId'), uniqueKeys: [keyOf('handle')] },
    ),
    Note: modelOf({
      id: ID,
      profileId: scalar('Int'),
      profile: belongsTo('Profile', 'notes', { fields: ['profileId'], references: ['userId'] }),
    }),
    Post: modelOf({
      id: ID,
      tenantId: scalar('Int'),
      tenant: belongsTo('Tenant', 'posts', { fields: ['tenantId'] }),
      authorId: scalar('Int'),
      author: belongsTo('User', 'posts', { fields: ['tenantId', 'authorId'], references: ['tenantId', 'id'] }),
    }),
    Tenant: modelOf({ id: ID, posts: hasMany('Post', 'tenant') }),
  });
  const USER: ResourceOptions = { externalId: 'email', fields: { id: 'hidden', tenantId: 'hidden' } };
  const lettersIn = (model: string, field: string, resources: ResourcesOption): string =>
    lettersOf(resourceOf(SCHEMA, model, { User: USER, Profile: { externalId: 'handle' }, ...resources }).fields.get(field));

  it("is hidden where its target's key is hidden, because the values are the same", () => {
    expect(lettersIn('Post', 'authorId', {})).toBe('-');
    expect(lettersIn('Post', 'authorId', { User: {} })).toBe('rfscu');
    expect(lettersIn('Post', 'authorId', { User: { fields: { tenantId: 'hidden' } } })).toBe('rfscu');
  });

  it('does not change the rights of its relation', () => {
    expect(lettersIn('Post', 'author', {})).toBe('rfscu');
  });

  it('exists where it also references an exposed field', () => {
    expect(lettersIn('Post', 'tenantId', {})).toBe('rfscu');
    expect(lettersIn('Post', 'tenantId', { Tenant: 'hidden' })).toBe('-');
  });

  it('hides the keys that reference it in turn', () => {
    expect(lettersIn('Note', 'profileId', {})).toBe('-');
    expect(lettersIn('Note', 'profileId', { User: {} })).toBe('rfscu');
  });

  it.each(['writeOnly', { read: false }] as const)(
    "is hidden where the target's key is %j, because reading it would reveal the same values",
    (id) => {
      expect(lettersIn('Post', 'authorId', { User: { externalId: 'email', fields: { id, tenantId: 'hidden' } } })).toBe('-');
      expect(lettersIn('Note', 'profileId', { User: { externalId: 'email', fields: { id } } })).toBe('-');
    },
  );

  it('is hidden behind a key that references a key of its own model', () => {
    const staff = schemaOf({
      Employee: modelOf(
        {
          id: ID,
          email: scalar('String'),
          deputyId: scalar('Int'),
          deputy: belongsTo('Employee', 'deputies', { fields: ['deputyId'] }),
          deputies: hasMany('Employee', 'deputy'),
          tasks: hasMany('Task', 'owner'),
        },
        { uniqueKeys: [keyOf('email'), keyOf('deputyId')] },
      ),
      Task: modelOf({
        id: ID,
        ownerId: scalar('Int'),
        owner: belongsTo('Employee', 'tasks', { fields: ['ownerId'], references: ['deputyId'] }),
      }),
    });
    const task = resourceOf(staff, 'Task', { Employee: { externalId: 'email', fields: { id: 'hidden' } } });
    expect(lettersOf(task.fields.get('ownerId'))).toBe('-');
    expect(lettersOf(task.fields.get('owner'))).toBe('rfscu');
  });

  it.each<[option: FieldOption, letters: string]>([
    [{}, '-'],
    [{ name: 'writer' }, '-'],
    [{ sort: false }, '-'],
    [{ create: false, filter: [] }, '-'],
    ['hidden', '-'],
    [{ read: true }, 'r'],
    [{ filter: ['equals'] }, 'f(equals)'],
    [{ read: true, sort: true, update: true }, 'rsu'],
    ['readOnly', 'rfs'],
    ['immutable', 'rfsc'],
  ])('has with the option %j only the rights that the option names: %s', (option, letters) => {
    expect(lettersIn('Post', 'authorId', { Post: { fields: { authorId: option } } })).toBe(letters);
  });

  it('can be read behind another key only where an option allows to read that by name', () => {
    const named = (userId: FieldOption): ResourcesOption => ({ Profile: { externalId: 'handle', fields: { userId } } });
    expect(lettersIn('Note', 'profileId', named({ name: 'owner' }))).toBe('-');
    expect(lettersIn('Note', 'profileId', named({ filter: true }))).toBe('-');
    expect(lettersIn('Note', 'profileId', named({ read: true }))).toBe('rfscu');
  });

  it('is refused as the id of its record', () => {
    expect(() => resourceOf(SCHEMA, 'Profile', { User: USER })).toThrow(
      "The id of 'Profile' is made of 'userId', and 'userId' may not be read, as it holds values that 'User' hides.",
    );
  });

  it('is refused as a part of the id of its record', () => {
    const orders = schemaOf({
      Order: modelOf(
        { tenantId: scalar('Int'), id: scalar('Int'), code: scalar('String'), lines: hasMany('Line', 'order') },
        { primaryKey: keyOf('tenantId', 'id'), uniqueKeys: [keyOf('code')] },
      ),
      Line: modelOf(
        {
          tenantId: scalar('Int'),
          orderId: scalar('Int'),
          number: scalar('Int'),
          order: belongsTo('Order', 'lines', { fields: ['tenantId', 'orderId'], references: ['tenantId', 'id'] }),
        },
        { primaryKey: keyOf('tenantId', 'orderId', 'number') },
      ),
    });
    expect(() => resourceOf(orders, 'Line', { Order: { externalId: 'code', fields: { id: 'hidden' } } })).toThrow(
      "The id of 'Line' is made of 'tenantId', 'orderId', 'number', and 'orderId' may not be read, as it holds values that 'Order' hides.",
    );
  });

  it('may be in a circle of keys', () => {
    const circle = schemaOf({
      A: modelOf({ id: scalar('Int'), b: belongsTo('B', 'a', { fields: ['id'] }), other: hasMany('B', 'b') }),
      B: modelOf({ id: scalar('Int'), a: hasMany('A', 'b'), b: belongsTo('A', 'other', { fields: ['id'] }) }),
    });
    expect(lettersOf(resourceOf(circle, 'A').fields.get('id'))).toBe('rfscu');
  });
});
