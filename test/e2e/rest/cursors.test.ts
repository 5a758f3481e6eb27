import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { defineRules } from '../../../lib/index.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { sample } from '../../support/sample.js';
import { readsInSql } from '../../support/sql-reads.js';
import { cursorsOf, describeCursors, KEY, linkOf, PROFILE, walkFrom } from './cursor-suite.js';
import { refusalOf } from './read-suite.js';

const OLD_KEY = 'o'.repeat(40);

const NO_CURSOR = (name: string): readonly unknown[] => [
  400,
  `invalid-page ${name}: ${name} is no cursor of this collection and this sort: take it from a link or from meta.page.cursor.`,
];

describeCursors('cursors', (suite) => {
  it('CP-17: are short, and the same in URLs and documents', async () => {
    for (const cursor of cursorsOf(await suite.get('/post?sort=title,-publishedAt,author.name&page[size]=8'))) {
      expect(cursor).toMatch(/^[\w-]{40,2000}$/);
    }
  });

  // Text columns of MariaDB are short by default.
  onDatabases('postgresql', 'sqlite').it('CP-17, CP-02: are an error for an item that would need a longer one', async () => {
    await suite.database.prisma.tag.create({ data: { id: 99, name: 'x'.repeat(1600) } });
    const refused = await suite.get('/tag?sort=name&page[size]=8');
    expect(refused.errors.map(({ links, source }) => [links?.type, source])).toEqual([
      [`${PROFILE}unsupported-sort`, { parameter: 'sort' }],
    ]);
    expect((await suite.get('/tag?sort=id&page[size]=8')).status).toBe(200);
  });

  it.each([
    ['post.published', 'asc'],
    ['-post.published', 'desc'],
  ] as const)('CP-20: continue after an item whose sort key is a required Boolean of a related row: %s', async (sort, direction) => {
    const orderBy = [{ post: { published: direction } }, { id: 'asc' as const }];
    const sorted = await suite.database.prisma.comment.findMany({ orderBy });
    const first = await suite.get(`/comment?sort=${sort}&page[size]=6`);
    expect(await walkFrom(first, 'next', suite)).toEqual(sorted.map(({ id }) => id));
  });

  it('CP-08, CP-18: are rejected with one message if they are forged, or of another resource or sort', async () => {
    const page = await suite.get('/post?sort=-title&page[size]=3');
    const [cursor = ''] = cursorsOf(page);
    const [tail = ''] = cursorsOf(await suite.get('/tag?sort=-name&page[size]=3'));
    const changed = cursor
      .split('')
      .map((letter, index) => cursor.slice(0, index) + (letter === 'A' ? 'B' : 'A') + cursor.slice(index + 1));
    const forged = Buffer.from(JSON.stringify([0, 'zzz', 1])).toString('base64url');
    const hostile = [
      '',
      'x',
      '%00',
      forged,
      tail,
      `${cursor}A`,
      `${cursor}=`,
      cursor.slice(0, -1),
      ` ${cursor}`,
      `${cursor}.`,
      'A'.repeat(3000),
      ...changed.filter((_, index) => index % 9 === 0 || index > cursor.length - 3),
    ];
    for (const name of ['page[after]', 'page[before]']) {
      expect((await suite.get(`/post?sort=-title&${name}=${cursor}`)).status).toBe(200);
      for (const text of hostile) expect(refusalOf(await suite.get(`/post?sort=-title&${name}=${text}`))).toEqual(NO_CURSOR(name));
      for (const sort of ['sort=title', 'sort=-title,id', 'sort=-title,-id', 'sort=id', 'sort=-content', '']) {
        const { status, errors } = await suite.get(`/post?${sort}&${name}=${cursor}`);
        // The id is the implicit last key, so that the order is the same.
        if (sort === 'sort=-title,id') expect(status).toBe(200);
        else expect([status, errors[0]?.links, errors[0]?.source]).toEqual([400, undefined, { parameter: name }]);
      }
    }
    const both = await suite.get('/post?page[after]=x&page[before]=y');
    expect(both.errors.map(({ source }) => source?.parameter)).toEqual(['page[after]', 'page[before]']);
  });

  it('CP-18: are decrypted with older keys, and encrypted with the current one', async () => {
    const path = '/post?sort=id&page[size]=2';
    const [old, rotated, other, random] = [
      await suite.start({ rest: { cursorKeys: [OLD_KEY] } }),
      await suite.start({ rest: { cursorKeys: [KEY, OLD_KEY] } }),
      await suite.start({ rest: { cursorKeys: ['q'.repeat(32)] } }),
      await suite.start({}),
    ];
    const next = linkOf(await old.rest.get(path), 'next');
    const page = await rotated.rest.get(next);
    expect(page.ids).toEqual([3, 4]);
    expect((await suite.get(linkOf(page, 'next'))).ids).toEqual([5, 6]);
    for (const one of [other, random]) expect(refusalOf(await one.rest.get(next))).toEqual(NO_CURSOR('page[after]'));
    expect((await old.rest.get(next)).ids).toEqual([3, 4]);
  });

  it('CP-18: log one warning, at their first use, if the keys are random', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      const random = await suite.start({});
      await random.rest.get('/post');
      expect(warn.mock.calls.flat().filter((text) => String(text).includes('cursorKeys'))).toEqual([]);
      for (let times = 0; times < 3; times += 1) await random.rest.get('/post?page[size]=1');
      expect(warn.mock.calls.flat().filter((text) => String(text).includes('cursorKeys'))).toHaveLength(1);
    } finally {
      warn.mockRestore();
    }
  });

  it('CP-19: contain no readable value, neither of a hidden id nor of a field that is only sortable', async () => {
    const secret = await suite.start({
      rest: { cursorKeys: [KEY] },
      resources: { User: { externalId: 'email', fields: { id: 'hidden', name: { read: false, sort: true } } } },
    });
    const page = await secret.rest.get('/user?sort=name&page[size]=5');
    const [first = ''] = cursorsOf(page);
    const bytes = Buffer.from(first, 'base64url').toString('latin1');
    expect(page.many).toHaveLength(5);
    // The random letters of a cursor may contain the text by chance.
    expect(page.text.replaceAll(/[\w-]{40,}/g, '')).not.toContain('Ada');
    expect(bytes).not.toContain('Ada');
    expect((await secret.rest.get(`/user?sort=name&page[after]=${first}`)).ids).toEqual(page.ids.slice(1));
    // A field that is not sortable has no cursor either.
    const closed = await suite.start({ rest: { cursorKeys: [KEY] }, resources: { User: { fields: { name: { sort: false } } } } });
    const refused = await closed.rest.get(`/user?sort=name&page[after]=${first}`);
    expect([refused.status, refused.errors[0]?.code]).toEqual([400, 'invalid-sort']);
    expect((await closed.rest.get(`/user?page[after]=${first}`)).errors[0]?.code).toBe('invalid-page');
  });

  it('CP-20: are valid with another filter and for another caller, whose rules are enforced', async () => {
    const page = await suite.get('/post?sort=-viewCount&page[size]=4');
    const [, second = ''] = cursorsOf(page);
    const filtered = await suite.get(`/post?sort=-viewCount&filter[published]=true&page[size]=8&page[after]=${second}`);
    const all = (await suite.get('/post?sort=-viewCount&filter[published]=true&page[limit]=8')).ids;
    expect(filtered.ids).toEqual(all.filter((id) => !page.ids.slice(0, 2).includes(id)));
    expect(filtered.document.meta).toMatchObject({ total: all.length });
    const ruled = await suite.start({
      rest: { cursorKeys: [KEY] },
      // Without the type of a client, defineRules has no models.
      rules: defineRules()({ 'Post': { read: { published: true } }, 'User': { read: { id: { lt: 3 } } }, '*': { read: true } } as never),
    });
    const readable = await ruled.rest.get(`/post?sort=-viewCount&page[size]=20&page[after]=${second}`);
    expect(readable.ids).toEqual(filtered.ids);
    // The position of a row would reveal an unreadable user. In SQL, such a user sorts as null (test/e2e/rules/sorting.test.ts).
    const sorted = await ruled.rest.get('/post?sort=author.name&page[size]=2');
    if (readsInSql()) expect(sorted.status).toBe(200);
    else expect(refusalOf(sorted)).toEqual([400, expect.stringMatching(/^invalid-sort .*: 'author' may not be used to sort/)]);
  });
});

describeCursors('orders of cursor pages', (suite) => {
  it.each<readonly [path: string, sort: string]>([
    ['/post', '-comments.$count'],
    ['/post', 'metadata'],
    ['/user', 'role'],
    ['/profile', 'avatar'],
    ['/post', 'author.role'],
    ...onDatabases('postgresql').rows([['/post', 'keywords']] as const),
    ...onDatabases('sqlite').rows([['/post', 'rating']] as const),
  ])('CP-02, CP-24, CP-14: %s rejects the sort %s with the type URI unsupported-sort', async (path, sort) => {
    const { status, errors } = await suite.get(`${path}?page[size]=2&sort=${sort}`);
    expect([status, errors.map(({ source, links }) => [source, links])]).toEqual([
      400,
      [[{ parameter: 'sort' }, { type: `${PROFILE}unsupported-sort` }]],
    ]);
  });

  it('CP-21: break ties by all fields of a compound id', async () => {
    for (const path of ['/orderLine?sort=quantity', '/translation?sort=-locale', '/exchangeRate?sort=currency']) {
      const seen = await walkFrom(await suite.get(`${path}&page[size]=1`), 'next', suite);
      expect(seen).toEqual((await suite.get(`${path}&page[limit]=8`)).ids);
    }
  });

  it('CP-20, CP-22: compare values of every type in their own order', async () => {
    const full = await suite.database.prisma.specimen.findUniqueOrThrow({ where: { id: 1 } });
    const json = { json: {}, optionalJson: {}, jsonList: [] };
    for (const extra of [1, 2, 3]) {
      await suite.database.prisma.specimen.create({
        // The fields of the model depend on the database.
        data: { ...full, id: 10 + extra, ...('jsonList' in full ? json : { json: {}, optionalJson: {} }), int: extra } as never,
      });
    }
    const fields = [
      'string',
      'boolean',
      'int',
      'bigInt',
      'float',
      'dateTime',
      'date',
      'uuid',
      ...onDatabases('postgresql', 'mariadb').rows(['decimal']),
    ];
    const sorts = fields.flatMap((name) => [name, `-optional${name[0]?.toUpperCase()}${name.slice(1)}`]);
    for (const field of sample.oneIn(3, sorts)) {
      const whole = (await suite.get(`/specimen?sort=${field}&page[limit]=8&fields[specimen]=int`)).ids;
      const pages = (size: number) => suite.get(`/specimen?sort=${field}&page[size]=${size}&fields[specimen]=int`);
      const forward = await walkFrom(await pages(1), 'next', suite);
      const backward = await walkFrom(await suite.follow(await pages(2), 'last'), 'prev', suite);
      expect([field, forward, backward]).toEqual([field, whole, whole]);
    }
  });

  onDatabases('postgresql').it('CP-22: read an index from the cursor onwards', async () => {
    const next = linkOf(await suite.get('/post?sort=viewCount&page[size]=2'), 'next');
    suite.database.statements.clear();
    await suite.get(next);
    expect(suite.database.statements.queries.join('\n')).toMatch(/"viewCount"\s*>=/);
  });
});
