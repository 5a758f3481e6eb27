import type { RestResponse } from '../../support/rest-client.js';
import { ENDPOINT } from '../../support/test-app.js';
import { cursorsOf, describeCursors, linkOf } from './cursor-suite.js';

const cursorIn = (path: string, name: string): string => new URL(path, ENDPOINT).searchParams.get(`page[${name}]`) ?? '';
const linksOf = (page: RestResponse): Readonly<Record<string, boolean>> => {
  const { prev, next, first, last } = page.document.links ?? {};
  return { prev: prev !== null, next: next !== null, first: first !== undefined, last: last !== undefined };
};

describeCursors('ranges and links of cursor pages', (suite) => {
  it('CP-03, CP-07: page[after] starts after the cursor and page[before] ends before it, also if its row is deleted', async () => {
    const page = await suite.get('/post?sort=-id&page[size]=8');
    expect(page.ids).toEqual([12, 11, 10, 9, 8, 7, 6, 5]);
    const fourth = cursorsOf(page)[3] ?? '';
    expect((await suite.get(`/post?sort=-id&page[size]=2&page[after]=${fourth}`)).ids).toEqual([8, 7]);
    expect((await suite.get(`/post?sort=-id&page[size]=2&page[before]=${fourth}`)).ids).toEqual([11, 10]);
    await suite.database.prisma.comment.deleteMany({ where: { postId: 9 } });
    await suite.database.prisma.post.delete({ where: { id: 9 } });
    expect((await suite.get(`/post?sort=-id&page[size]=2&page[after]=${fourth}`)).ids).toEqual([8, 7]);
    expect((await suite.get(`/post?sort=-id&page[size]=2&page[before]=${fourth}`)).ids).toEqual([11, 10]);
  });

  it('CP-07: an empty page is a 200', async () => {
    const page = await suite.get('/post?filter[id]=99&page[size]=2');
    expect(page.many).toEqual([]);
    expect(linksOf(page)).toEqual({ prev: false, next: false, first: true, last: true });
  });

  it('CP-10, CP-11: prev and next are always present, null at the ends, and keep all other parameters', async () => {
    const query = 'filter[id$lte]=7&sort=-id&include=author&fields[post]=title,author&page[size]=3&custom-1=%C3%A4';
    const first = await suite.get(`/post?${query}`);
    expect(linksOf(first)).toMatchObject({ prev: false, next: true });
    const second = await suite.follow(first, 'next');
    expect(second.ids).toEqual([4, 3, 2]);
    expect(cursorIn(linkOf(first, 'next'), 'after')).toBe(cursorsOf(first).at(-1));
    expect(cursorIn(linkOf(second, 'prev'), 'before')).toBe(cursorsOf(second)[0]);
    const third = await suite.follow(second, 'next');
    expect(third.ids).toEqual([1]);
    expect(third.document.links?.['next']).toBeNull();
    for (const name of ['first', 'last', 'prev']) {
      const parameters = new URL(linkOf(third, name), ENDPOINT).searchParams;
      parameters.delete('page[before]');
      expect([...parameters].sort()).toEqual([...new URL(`/post?${query}`, ENDPOINT).searchParams].sort());
    }
    const back = await suite.follow(third, 'prev');
    expect(back.ids).toEqual([4, 3, 2]);
    const start = await suite.follow(back, 'prev');
    expect(start.ids).toEqual([7, 6, 5]);
    expect(linksOf(start)).toMatchObject({ prev: false, next: true });
  });

  it('CP-10: first and last link to cursor pages at the ends', async () => {
    const page = await suite.get(`/post?sort=id&page[after]=${cursorsOf(await suite.get('/post?sort=id&page[size]=4'))[3]}`);
    const first = await suite.follow(page, 'first');
    expect(first.ids).toEqual([1, 2, 3, 4, 5]);
    expect(first.headers['content-type']).toContain('profile=');
    expect(first.document.links?.['prev']).toBeNull();
    const last = await suite.follow(page, 'last');
    expect(last.ids).toEqual([8, 9, 10, 11, 12]);
    expect(linksOf(last)).toMatchObject({ prev: true, next: false });
    expect((await suite.follow(last, 'prev')).ids).toEqual([3, 4, 5, 6, 7]);
  });

  it('CP-09, CP-16: page[after] with page[before] is a range, which reports that it is truncated and links to the next page', async () => {
    const all = [
      ...cursorsOf(await suite.get('/comment?sort=id&page[size]=8')),
      ...cursorsOf(await suite.follow(await suite.get('/comment?sort=id&page[size]=8'), 'next')),
    ];
    const range = (after: number, before: number, more = ''): Promise<RestResponse> =>
      suite.get(`/comment?sort=id&page[after]=${all[after - 1]}&page[before]=${all[before - 1]}${more}`);
    const whole = await range(2, 6);
    expect(whole.ids).toEqual([3, 4, 5]);
    expect(whole.document.meta?.['page']).toEqual({ total: 20 });
    // The default size is the maximum.
    const cut = await range(2, 16);
    expect(cut.ids).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    expect(cut.document.meta).toMatchObject({ total: 20, page: { total: 20, rangeTruncated: true } });
    const next = linkOf(cut, 'next');
    expect(cursorIn(next, 'before')).toBe('');
    expect((await suite.get(next)).ids).toEqual([11, 12, 13, 14, 15]);
    expect((await range(2, 16, '&page[size]=2')).ids).toEqual([3, 4]);
    for (const [after, before] of [
      [4, 5],
      [4, 4],
      [6, 2],
    ] as const) {
      const empty = await range(after, before);
      expect(empty.many).toEqual([]);
      expect((await suite.follow(empty, 'next')).ids[0]).toBe(after + 1);
      expect((await suite.follow(empty, 'prev')).ids.at(-1)).toBe(after);
    }
  });

  it('CP-16: an empty page after the last item links back to it, and one before the first links to the first', async () => {
    const [first, second] = [await suite.get('/tag?sort=id&page[size]=2'), await suite.get('/tag?sort=id&page[size]=8')];
    const behind = await suite.get(`/tag?sort=id&page[size]=2&page[after]=${cursorsOf(second).at(-1)}`);
    expect([behind.many, linksOf(behind)]).toEqual([[], { prev: true, next: false, first: true, last: true }]);
    expect((await suite.follow(behind, 'prev')).ids).toEqual(second.ids.slice(-2));
    const before = await suite.get(`/tag?sort=id&page[size]=2&page[before]=${cursorsOf(first)[0]}`);
    expect([before.many, linksOf(before)]).toEqual([[], { prev: false, next: true, first: true, last: true }]);
    expect((await suite.follow(before, 'next')).ids).toEqual(first.ids);
  });

  it('CP-29: a page with page[before] has a next link', async () => {
    const [, second = ''] = cursorsOf(await suite.get('/post?sort=id&page[size]=2'));
    const page = await suite.get(`/post?sort=id&page[before]=${second}`);
    expect(page.ids).toEqual([1]);
    expect((await suite.follow(page, 'next')).ids).toEqual([2, 3, 4, 5, 6]);
  });
});
