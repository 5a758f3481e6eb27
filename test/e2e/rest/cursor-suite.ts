import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { RestResponse } from '../../support/rest-client.js';
import { describeOnPlatforms, ENDPOINT, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';

export const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';
export const KEY = 'k'.repeat(32);

/** What a suite works with; it is there once its tests run. */
export interface CursorSuite {
  /** Pages of 5 at most 8 resources, by cursors where comments are listed. */
  readonly app: TestApp;
  readonly database: TestDatabase;
  /** Another application on the same database. */
  readonly start: (options: TestAppOptions['options']) => Promise<TestApp>;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<RestResponse>;
  readonly follow: (page: RestResponse, link: string) => Promise<RestResponse>;
}

/** Describes pages between cursors, on Express and on Fastify: every test starts from the base seed. */
export function describeCursors(name: string, tests: (suite: CursorSuite) => void): void {
  describeOnPlatforms(name, (platform) => {
    const apps: TestApp[] = [];
    const made: { app?: TestApp; database?: TestDatabase } = {};
    const start: CursorSuite['start'] = async (options) => {
      const { database } = made;
      const started = await startTestApp({ platform, ...(database && { database }), ...(options && { options }) });
      apps.push(started);
      return started;
    };
    const get: CursorSuite['get'] = (path, headers) => (made as CursorSuite).app.rest.get(path, headers);
    beforeAll(async () => {
      made.database = await openTestDatabase();
      made.app = await start({
        rest: { pageSize: 5, maxPageSize: 8, cursorKeys: [KEY] },
        resources: { Comment: { pagination: 'cursor' } },
      });
    }, 60_000);
    beforeEach(() => made.database?.reset());
    afterAll(async () => {
      for (const one of apps) await one.close();
      await made.database?.close();
    });
    const follow: CursorSuite['follow'] = (page, link) => get(linkOf(page, link));
    tests(Object.assign(made, { start, get, follow }) as CursorSuite);
  });
}

/** Where a link leads, below the endpoint. */
export function linkOf(page: RestResponse, name: string): string {
  const link = page.document.links?.[name];
  if (typeof link !== 'string') throw new Error(`There is no link ${name}: ${page.text}`);
  return link.slice(ENDPOINT.length);
}

/** The cursors of the items of a page. */
export function cursorsOf(page: RestResponse): readonly string[] {
  return page.many.map(({ meta }) => meta?.page?.cursor ?? '');
}

/** The ids of all pages from one on, along a link. */
export async function walkFrom(page: RestResponse, link: 'next' | 'prev', { follow }: CursorSuite): Promise<readonly unknown[]> {
  if (page.document.links?.[link] === null) return page.ids;
  const others = await walkFrom(await follow(page, link), link, { follow } as CursorSuite);
  return link === 'next' ? [...page.ids, ...others] : [...others, ...page.ids];
}
