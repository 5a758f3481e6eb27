import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ResourceApiModule, type ResourceApiOptions, type ResourceModel } from '../../../lib/index.js';
import type { StyleService } from '../../../lib/platform/style.js';
import { RestService } from '../../../lib/rest/rest.service.js';
import { RpcService } from '../../../lib/rpc/rpc.service.js';
import { assertNoLeak, type HiddenField, type Leak, LeakError } from '../../../lib/testing/index.js';
import type { TestDatabase } from '../../support/database.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { TEST_RESOURCES } from '../../support/test-app.js';

export const HASH: HiddenField = { model: 'User', field: 'passwordHash' };
export const CODE: HiddenField = { model: 'User', field: 'recoveryCode' };
export const REVIEWER: HiddenField = { model: 'Post', field: 'reviewer' };
export const SECRET: HiddenField = { model: 'ApiToken', field: 'secret' };

export const NOTHING = { read: false, filter: false, sort: false, create: false, update: false } as const;

export interface Mutation {
  readonly database: TestDatabase;
  readonly resources?: ResourceApiOptions['resources'];
  readonly model?: ResourceModel;
  readonly options?: Partial<ResourceApiOptions>;
}

/** Probes an application of which one part is faulty. */
export async function leaksOf(hidden: HiddenField, { database, resources, model, options }: Mutation): Promise<readonly Leak[]> {
  const building = Test.createTestingModule({
    imports: [
      ResourceApiModule.forRoot({
        schema: resourceSchema,
        getClient: () => database.prisma,
        rest: { prefix: 'rest', endpoint: 'http://api.test/rest' },
        rpc: { prefix: 'rpc' },
        resources: { ...TEST_RESOURCES, ...resources },
        ...options,
      }),
    ],
  });
  const app = (await building.compile()).createNestApplication(new FastifyAdapter(), { logger: false });
  if (model) for (const type of [RestService, RpcService]) showTo(app.get<StyleService>(type, { strict: false }), model);
  try {
    await assertNoLeak(app, hidden);
    return [];
  } catch (error) {
    if (error instanceof LeakError) return error.leaks;
    throw error;
  } finally {
    await app.close();
  }
}

/** Makes a style serve another model than that of the module. */
function showTo(service: StyleService, model: ResourceModel): void {
  const execute = service.execute.bind(service);
  service.execute = (request, reading) => execute(request, reading, model);
}

/** The reported surfaces. */
export const surfacesOf = (leaks: readonly Leak[]): readonly string[] => leaks.map(({ surface }) => surface);

/** It has each member with a right, so that it may be reported for any. */
const DESCRIPTION = 'RPC $describe';

/** Every expected surface is reported, and every reported surface is expected. */
export function expectSurfaces(leaks: readonly Leak[], expected: readonly string[], all: RegExp): void {
  expect(expected.filter((surface) => !surfacesOf(leaks).includes(surface))).toEqual([]);
  expect(surfacesOf(leaks).filter((surface) => !all.test(surface) && !surface.startsWith(DESCRIPTION))).toEqual([]);
}
