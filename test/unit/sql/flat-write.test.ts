import { describe, expect, it } from '@jest/globals';
import type { StoredModel } from '../../../lib/model/storage/storage.js';
import { ALWAYS, type UniqueCondition } from '../../../lib/query/condition.js';
import { fieldNamed, selectFields } from '../../../lib/query/fields.js';
import { uniqueCondition } from '../../../lib/query/key.js';
import type { Update, WrittenRelation } from '../../../lib/query/write.js';
import { flatWrite } from '../../../lib/sql/flat-write.js';
import { modelOf } from '../rpc/model-of.js';

const { storage } = modelOf(`
model Person {
  id       Int       @id @default(autoincrement())
  login    String    @unique
  friends  Person[]  @relation("friends")
  friendOf Person[]  @relation("friends")
  language Language? @relation(fields: [code], references: [code])
  code     String?   @db.Citext
  regions  Region[]
}

model Language {
  code    String   @id @db.Citext
  persons Person[]
}

model Region {
  code    String   @id @db.Char(4)
  persons Person[]
  cities  City[]
}

model City {
  id         Int     @id
  region     Region? @relation(fields: [regionCode], references: [code])
  regionCode String? @db.VarChar(4)
}
`).model;

const modelNamed = (name: string): StoredModel => storage.byModel.get(name) ?? missing(name);
const [model, language, region, city] = [modelNamed('Person'), modelNamed('Language'), modelNamed('Region'), modelNamed('City')];

function missing(name: string): never {
  throw new Error(`There is no ${name}.`);
}

const by = (name: string, value: unknown, of = model): UniqueCondition =>
  uniqueCondition(of, { name, fields: [{ name }] }, { [name]: value });

const connecting = (name: string, row: UniqueCondition, target = model, owner = model): WrittenRelation => ({
  relation: owner.relations.get(name) ?? missing(name),
  target,
  verbs: [{ kind: 'connect', row }],
});

describe('an update', () => {
  const update = (relations: readonly WrittenRelation[], login?: string): Update => ({
    kind: 'update',
    model,
    where: by('id', 1),
    record: {
      kind: 'record',
      model,
      action: 'update',
      fields: login === undefined ? [] : [{ field: fieldNamed(model, 'login'), operation: 'set', value: login }],
      relations,
      at: [],
    },
    selection: selectFields(model, ['id']),
  });
  const flat = (query: Update): unknown => flatWrite({ kind: 'call', call: { query } }, false);

  it('links rows of its own table', () => {
    expect(flat(update([connecting('friends', by('login', 'ann'))]))).toMatchObject({ links: [{ kind: 'connect' }] });
  });

  it('is left to Prisma where it changes the row as well, which may be one of those', () => {
    expect(() => flat(update([connecting('friends', by('login', 'ann'))], 'zed'))).toThrow('links of a row that changes');
  });

  it('is left to Prisma where a key may be stored in another spelling than it is given in', () => {
    expect(() => flat(update([connecting('language', by('code', 'EN', language), language)]))).toThrow('another spelling');
  });

  it.each([
    ['a join table', update([connecting('regions', by('code', 'x', region), region)])],
    ['a row of another table', { ...update([connecting('cities', by('id', 1, city), city, region)]), model: region }],
  ])('is left to Prisma where %s may hold its key without the blanks at its end', (_, query) => {
    expect(() => flat(query)).toThrow('another spelling');
  });

  it('is left to Prisma where a row that it links must meet more than its key', () => {
    const row = { ...by('login', 'ann'), more: { kind: 'not', condition: ALWAYS } } as const;
    expect(() => flat(update([connecting('friends', row)]))).toThrow('a row that meets conditions');
  });
});
