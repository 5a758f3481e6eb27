import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type GetClient, ResourceApiModule, type ResourceApiOptions, withRowLevelSecurity } from 'nestjs-resource-api';
import type { AddressInfo, Server } from 'node:net';
import supertest from 'supertest';
import { CallerGuard, type CallerRequest } from '../../../sample/blog/src/caller/caller.guard.js';
import type { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import { resourceSchema } from '../../../sample/blog/src/generated/resource-schema.js';
import { RestClient, type RestRequest, type RestResponse } from '../../support/rest-client.js';
import { type RpcCallOptions, RpcClient, type RpcResponse } from '../../support/rpc-client.js';
import type { Method } from '../../support/send-request.js';
import { adapterOf, type Platform } from '../../support/test-app.js';

const ENDPOINT = 'http://blog.test/api/rest';

/** The API of the blog on a database of the test. */
export interface BlogApp {
  readonly url: string;
  readonly as: (callerId: number | undefined) => Caller;
  readonly close: () => Promise<void>;
}

/** Sends requests of both styles as one caller. `RestClient` and `RpcClient` validate each response. */
export interface Caller {
  readonly rest: (method: Method, path: string, body?: unknown) => Promise<RestResponse>;
  readonly rpc: (operation: string, args?: unknown) => Promise<RpcResponse>;
  readonly sequential: (
    operations: readonly { readonly model: string; readonly op: string; readonly args?: unknown }[],
  ) => Promise<RpcResponse>;
}

/** @param getClient in place of the caller's client */
export function startBlogApp(prisma: PrismaClient, getClient: GetClient = callerClient(prisma), imports: Imports = []): Promise<BlogApp> {
  return serveBlog({ schema: resourceSchema, guards: [CallerGuard], getClient }, 'express', imports);
}

/** Further modules of the application. */
type Imports = NonNullable<ModuleMetadata['imports']>;

/** The API of a blog with these options, in both styles. */
export async function serveBlog(
  options: Omit<ResourceApiOptions, 'rest' | 'rpc'>,
  platform: Platform = 'express',
  imports: Imports = [],
): Promise<BlogApp> {
  const api = ResourceApiModule.forRoot({
    ...options,
    rest: { prefix: 'api/rest', endpoint: ENDPOINT, pageSize: 1000 },
    rpc: { prefix: 'api/rpc' },
  });
  const module = await Test.createTestingModule({ imports: [api, ...imports] }).compile();
  const nest: INestApplication = module.createNestApplication(adapterOf(platform), { logger: false });
  await nest.listen(0, '127.0.0.1');
  const server = nest.getHttpServer() as Server;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    as: (callerId) => callerOf(server, callerId),
    close: () => nest.close(),
  };
}

/** As the sample does it. */
function callerClient(prisma: PrismaClient) {
  return ({ callerId }: CallerRequest) => withRowLevelSecurity(prisma, { role: 'blog_app', settings: { 'app.user_id': callerId } });
}

function callerOf(server: Server, callerId: number | undefined): Caller {
  const agent = supertest.agent(server);
  const rest = new RestClient({ agent, prefix: '/api/rest', strict: false, endpoint: ENDPOINT });
  const rpc = new RpcClient({ agent, prefix: '/api/rpc' });
  const identity: RpcCallOptions & RestRequest = { ...(callerId !== undefined && { headers: { 'X-User-Id': String(callerId) } }) };
  if (callerId !== undefined) agent.set('X-User-Id', String(callerId));
  return {
    rest: (method, path, body) => rest.request(method, path, { ...identity, body }),
    rpc: (operation, args) => rpc.call(operation, args, identity),
    sequential: (operations) => rpc.sequential(operations),
  };
}
