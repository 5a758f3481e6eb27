import { AppSuite, type SuiteSetup, withOptions } from '../../support/app-suite.js';
import type { RestResponse } from '../../support/rest-client.js';
import { onPlatforms, type Platform } from '../../support/test-app.js';

/** Integer fields with a default, which the tests use as versions. */
export const VERSIONS = { Post: { version: 'viewCount' }, User: { version: 'loginCount' }, Product: { version: 'stock' } } as const;

/** The error for a stale tag. */
export const STALE = [412, 'precondition-failed If-Match'];

/** A change of the title of the first post. */
export const TITLE = { data: { type: 'post', id: 1, attributes: { title: 'Changed' } } };

type Headers = Readonly<Record<string, string>>;

type Options = SuiteSetup['options'];

/** The models of {@link VersionsSuite.app} have {@link VERSIONS}. Further applications have their own options. */
export class VersionsSuite extends AppSuite {
  constructor(platform: Platform, options: Options) {
    super(platform, withOptions, { ...options, resources: VERSIONS });
  }

  /** The stored version of a post. */
  readonly versionOf = async (id = 1): Promise<number> => {
    const select = { viewCount: true };
    return (await this.database.prisma.post.findUniqueOrThrow({ where: { id }, select })).viewCount;
  };

  readonly titleOf = async (id = 1): Promise<string> => (await this.database.prisma.post.findUniqueOrThrow({ where: { id } })).title;

  /** Sends {@link TITLE}. */
  readonly patch = (headers: Headers, path = '/post/1'): Promise<RestResponse> => this.app.rest.patch(path, TITLE, headers);
}

/** Describes versions on both platforms: every test starts from the base seed. */
export function describeVersions(
  name: string,
  options: Omit<NonNullable<Options>, 'resources'>,
  tests: (suite: VersionsSuite) => void,
): void {
  onPlatforms(name, (platform) => {
    tests(new VersionsSuite(platform, options));
  });
}
