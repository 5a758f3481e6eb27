import { AppSuite, type SuiteSetup, withOptions } from '../../support/app-suite.js';
import type { RestResponse } from '../../support/rest-client.js';
import { onPlatforms, ENDPOINT, type Platform } from '../../support/test-app.js';

export const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';
export const KEY = 'k'.repeat(32);

/** Pages of 5, and at most 8, resources. Comments have cursor pages by default. */
const PAGES: SuiteSetup['options'] = {
  rest: { pageSize: 5, maxPageSize: 8, cursorKeys: [KEY] },
  resources: { Comment: { pagination: 'cursor' } },
};

export class CursorSuite extends AppSuite {
  constructor(platform: Platform) {
    super(platform, withOptions, PAGES);
  }

  readonly get = (path: string, headers?: Readonly<Record<string, string>>): Promise<RestResponse> => this.app.rest.get(path, headers);

  readonly follow = (page: RestResponse, link: string): Promise<RestResponse> => this.get(linkOf(page, link));
}

/** Describes pages between cursors, on Express and on Fastify: every test starts from the base seed. */
export function describeCursors(name: string, tests: (suite: CursorSuite) => void): void {
  onPlatforms(name, (platform) => {
    tests(new CursorSuite(platform));
  });
}

/** Returns the path of a link, below the endpoint. */
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
export async function walkFrom(
  page: RestResponse,
  link: 'next' | 'prev',
  { follow }: Pick<CursorSuite, 'follow'>,
): Promise<readonly unknown[]> {
  if (page.document.links?.[link] === null) return page.ids;
  const others = await walkFrom(await follow(page, link), link, { follow });
  return link === 'next' ? [...page.ids, ...others] : [...others, ...page.ids];
}
