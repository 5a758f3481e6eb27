import { describe, expect, it } from '@jest/globals';
import { ALWAYS } from '../../../../lib/query/condition.js';
import type { Member, Selection } from '../../../../lib/query/selection.js';
import { collectionQuery, readContext } from '../read-fixture.js';

const context = readContext();

function selectionOf(model: string, search = '', of = context): Selection {
  return collectionQuery(of, model, search).projection.selection;
}

/** A member in one line: `id`, `computed label`, `one author`, `linkage author`, `many comments`. */
function nameOf(member: Member): string {
  switch (member.kind) {
    case 'field':
      return member.field.name;
    case 'computed':
      return `computed ${member.name}`;
    case 'one':
      return `${member.isLinkage ? 'linkage' : 'one'} ${member.relation.name}`;
    case 'many':
      return `many ${member.relation.name}`;
    case 'counts':
      return 'counts';
  }
}

describe('the selection of a projection', () => {
  it.each<[string, string, readonly string[]]>([
    ['User', '', ['id', 'email', 'name', 'role', 'managerId', 'linkage profile']],
    ['User', 'include=profile', ['id', 'email', 'name', 'role', 'managerId', 'one profile']],
    ['User', 'include=profile&fields[profile]=', ['id', 'email', 'name', 'role', 'managerId', 'linkage profile']],
    ['Comment', 'include=author&fields[comment]=author', ['id', 'authorId', 'one author']],
    ['Post', 'include=comments&fields[post]=', ['id', 'many comments']],
    ['Refund', '', ['id', 'orderId', 'sku']],
  ])('%s?%s', (model, search, members) => {
    expect(selectionOf(model, search).members.map(nameOf)).toEqual(members);
  });

  it('has the fields of the storage themselves, and computed fields by name', () => {
    const computed = readContext({ resources: { Tag: { computed: { label: 'String' } } } });
    const { storage } = computed.model;
    const { model, members } = selectionOf('Tag', '', computed);
    expect(model).toBe(storage.byModel.get('Tag'));
    expect(members).toEqual([
      { kind: 'field', field: model.fields.get('id') },
      { kind: 'field', field: model.fields.get('name') },
      { kind: 'computed', name: 'label' },
    ]);
  });

  it('is frozen with everything in it, because requests share it', () => {
    const { members } = selectionOf('Post', 'include=comments.author');
    const comments = members.find((member) => member.kind === 'many');
    expect([members, comments, comments?.selection, comments?.selection.members].every(Object.isFrozen)).toBe(true);
    expect(comments).toMatchObject({ where: ALWAYS, order: [{ kind: 'field-term', direction: 'asc' }], page: { take: 10_001 } });
  });
});
