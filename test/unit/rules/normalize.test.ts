import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { normalize } from '../../../lib/rules/normalize.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const STORAGE = buildStorage(resourceSchema);
const NONE = { id: { in: [] } };

describe('normalize', () => {
  /** Prisma finds no row for `{ OR: [] }`, and every row for `{ AND: [{ OR: [] }] }`. */
  it.each([
    [true, true],
    [false, false],
    [{}, true],
    [{ OR: [] }, false],
    [{ OR: [{}] }, false],
    [{ OR: [{}, { id: 1 }] }, { id: 1 }],
    [{ OR: [{ OR: [] }, { id: 1 }] }, { id: 1 }],
    [{ AND: [] }, true],
    [{ AND: [{ OR: [] }] }, false],
    [{ AND: { OR: [] } }, false],
    [{ AND: [{}, { id: 1 }] }, { id: 1 }],
    [{ id: 1, AND: [{ AND: [{ OR: [] }] }] }, false],
    [{ id: 1, OR: [] }, false],
    [{ NOT: {} }, true],
    [{ title: {} }, true],
    [{ title: { mode: 'insensitive' } }, true],
    [{ NOT: { createdAt: {} } }, true],
    [{ NOT: { OR: [] } }, true],
    [{ NOT: [{}, { id: 1 }] }, { NOT: { id: 1 } }],
    [{ NOT: { AND: [{ id: 1 }, { OR: [] }] } }, true],
    [{ id: 1, title: 'x' }, { AND: [{ id: 1 }, { title: 'x' }] }],
    [{ author: { AND: [{ OR: [] }] } }, { author: { is: NONE } }],
    [{ author: {} }, { author: { is: {} } }],
    [{ author: { isNot: { OR: [] } } }, { author: { isNot: NONE } }],
    [{ author: null }, { author: null }],
    [{ comments: { some: { AND: [{ OR: [] }] }, none: {} } }, { comments: { some: NONE, none: {} } }],
    [{ comments: { every: { author: { NOT: { AND: [] } } } } }, { comments: { every: { author: { is: {} } } } }],
  ])('%j is %j', (condition, normalized) => {
    expect(normalize(STORAGE, 'Post', condition)).toEqual(normalized);
  });
});
