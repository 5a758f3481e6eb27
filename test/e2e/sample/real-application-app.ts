import type { INestApplication, Type } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Test } from '@nestjs/testing';
import type { Server } from 'node:net';
import supertest from 'supertest';
import { RestClient } from '../../support/rest-client.js';
import { RpcClient } from '../../support/rpc-client.js';
import type { Method } from '../../support/send-request.js';
import { onPlatforms, adapterOf } from '../../support/test-app.js';

export const SAMPLE = new URL('../../../sample/real-application/src/', import.meta.url);

interface Entry {
  readonly model: string;
  readonly action: string;
  readonly changed: readonly string[];
  readonly actorId: number;
  readonly organizationId: number;
}

interface Table {
  readonly count: (args?: object) => Promise<number>;
  readonly findMany: (args?: object) => Promise<readonly Entry[]>;
}

/** The exports of the sample, which is a separate package with its own type check. */
export interface RealSample {
  readonly AppModule: Type;
  readonly Mailer: Type;
  readonly openDatabase: () => Promise<readonly { readonly sub: number; readonly org: number }[]>;
  readonly seed: () => Promise<void>;
  readonly prisma: {
    readonly auditEntry: Table;
    readonly comment: Table;
    readonly project: Table;
    readonly task: Table;
    readonly $queryRawUnsafe: (sql: string) => Promise<readonly { readonly file: string }[]>;
    readonly $executeRawUnsafe: (sql: string) => Promise<number>;
    readonly $disconnect: () => Promise<void>;
  };
}

export async function loadSample(): Promise<RealSample> {
  const loaded: object[] = [];
  for (const file of ['app.module', 'tasks', 'seed', 'database']) {
    loaded.push((await import(new URL(`${file}.ts`, SAMPLE).pathname)) as object);
  }
  return Object.assign({}, ...loaded) as RealSample;
}

/** The models, referencing ones first. */
export const TABLES = '_TagToTask AuditEntry Payment Attachment Comment Task Tag Project Membership User Organization'.split(' ');

/** The callers, each with the organization of the token. */
const CALLERS = {
  ann: { sub: 1, org: 1 },
  bob: { sub: 2, org: 1 },
  bobAtGlobex: { sub: 2, org: 2 },
  hana: { sub: 3, org: 1 },
  cleo: { sub: 4, org: 2 },
} as const;

export type Caller = keyof typeof CALLERS;

/** The functions of tests on a running application. Each sends a request with the token of a caller. */
export interface RealApplication {
  readonly sample: () => RealSample;
  readonly nest: () => INestApplication;
  readonly tokenOf: (claims: object) => string;
  readonly getWithToken: (path: string, authorization?: string) => ReturnType<RestClient['get']>;
  readonly get: (caller: Caller, path: string) => ReturnType<RestClient['get']>;
  readonly send: (caller: Caller, method: Method, path: string, body?: unknown) => ReturnType<RestClient['request']>;
  readonly call: (caller: Caller, operation: string, args?: object, method?: Method) => ReturnType<RpcClient['call']>;
  readonly batch: (caller: Caller, operations: Parameters<RpcClient['sequential']>[0]) => ReturnType<RpcClient['sequential']>;
  readonly ids: (caller: Caller, path: string) => Promise<readonly unknown[]>;
  /** The audit log, as `2@1 create Task`: by user 2 in organization 1. */
  readonly audited: () => Promise<readonly string[]>;
  /** The mail that was sent since the start of the test. */
  readonly mail: readonly string[];
  /** Waits for hooks after the commit, which run after the response: it sends two more requests. */
  readonly settled: () => Promise<void>;
}

/** Runs the same tests on both platforms. */
export function describeRealApplication(sample: () => RealSample, tests: (application: RealApplication) => void): void {
  onPlatforms('answers', (platform) => {
    let nest: INestApplication;
    let rest: RestClient;
    let rpc: RpcClient;
    const mail: string[] = [];
    beforeAll(async () => {
      const mailer = { send: (to: string, text: string): unknown => mail.push(`${to}: ${text}`) };
      const testing = await Test.createTestingModule({ imports: [sample().AppModule] })
        .overrideProvider(sample().Mailer)
        .useValue(mailer)
        .compile();
      nest = testing.createNestApplication(adapterOf(platform), { logger: false });
      await nest.listen(0, '127.0.0.1');
      const agent = supertest.agent(nest.getHttpServer() as Server);
      rest = new RestClient({ agent, prefix: '/api/rest', strict: false, endpoint: 'http://localhost:3000/api/rest' });
      rpc = new RpcClient({ agent, prefix: '/api/rpc' });
    });
    beforeEach(() => {
      mail.length = 0;
    });
    afterAll(() => nest.close());

    const tokenOf = (claims: object): string => `Bearer ${nest.get(JwtService).sign(claims)}`;
    const as = (caller: Caller): { readonly Authorization: string } => ({ Authorization: tokenOf(CALLERS[caller]) });
    const get = (caller: Caller, path: string): ReturnType<RestClient['get']> => rest.get(path, as(caller));
    const send = (caller: Caller, method: Method, path: string, body?: unknown): ReturnType<RestClient['request']> =>
      rest.request(method, path, { headers: as(caller), ...(body !== undefined && { body }) });
    const call = (caller: Caller, operation: string, args?: object, method?: Method): ReturnType<RpcClient['call']> =>
      rpc.call(operation, args, { headers: as(caller), ...(method && { method }) });
    const ids = async (caller: Caller, path: string): Promise<readonly unknown[]> => (await get(caller, path)).many.map(({ id }) => id);
    const audited = async (): Promise<readonly string[]> => {
      const entries = await sample().prisma.auditEntry.findMany({ orderBy: { id: 'asc' } });
      return entries.map(({ actorId, organizationId, action, model }) => `${actorId}@${organizationId} ${action} ${model}`);
    };
    const settled = async (): Promise<void> => {
      for (let turn = 0; turn < 2; turn++) await get('ann', '/task');
    };
    tests({
      sample,
      nest: () => nest,
      tokenOf,
      getWithToken: (path, authorization) => rest.get(path, authorization === undefined ? {} : { Authorization: authorization }),
      get,
      send,
      call,
      batch: (caller, operations) => rpc.sequential(operations, as(caller)),
      ids,
      audited,
      mail,
      settled,
    });
  });
}
