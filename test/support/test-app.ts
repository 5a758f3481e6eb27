import type { DynamicModule, INestApplication, LoggerService, ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import supertest from 'supertest';
import { ResourceApiModule, type ResourceApiOptions, type RestOptions, withSql } from '../../lib/index.js';
import type { TestDatabase } from './database.js';
import { resourceSchema } from './generated/resource-schema.js';
import { Contract } from './check-contract.js';
import { adapterOf, type Platform, PLATFORMS } from './platforms.js';
import { PROFILE } from './profile.mjs';
import { RestClient } from './rest-client.js';
import { RpcClient } from './rpc-client.js';
import type { Agent } from './send-request.js';

export { adapterOf, type Platform, PLATFORMS };

/** Base of every link in the tests' answers: no host that a request could name. */
export const ENDPOINT = 'http://api.test/api/rest';

/** What the tests' schema needs to boot in strict mode: its attribute called `type` gets another name. */
export const TEST_RESOURCES = { AuditEvent: { fields: { type: { name: 'kind' } } } } as const;

export interface TestAppOptions {
  readonly platform: Platform;
  /** Where `getClient` comes from, unless `options` has its own. */
  readonly database?: TestDatabase;
  /** Merged into the defaults: both styles, at `api/rest` and `api/rpc`. `resources` are added to {@link TEST_RESOURCES}. */
  readonly options?: Partial<Omit<ResourceApiOptions, 'rest'>> & { readonly rest?: Partial<RestOptions> };
  /** Further modules of the application. */
  readonly imports?: ModuleMetadata['imports'];
  /** Further controllers of the application. */
  readonly controllers?: ModuleMetadata['controllers'];
  /** Runs between creating the application and starting it, e.g. `app.setGlobalPrefix('v1')`. */
  readonly configure?: (app: INestApplication) => void | Promise<void>;
  /** Path before the prefixes of both styles, e.g. `/v1`, for the clients. @default '' */
  readonly basePath?: string;
  /** @default silence */
  readonly logger?: LoggerService;
}

/** An application that listens on a free port, and clients of it. */
export interface TestApp {
  readonly nest: INestApplication;
  /** Where it listens, e.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly agent: Agent;
  readonly rest: RestClient;
  readonly rpc: RpcClient;
  /** The contract of its responses, from its OpenAPI document. */
  readonly contract: () => Contract;
  close(): Promise<void>;
}

/**
 * Starts a real Nest application with the module under test.
 *
 * @example
 * const app = await startTestApp({ platform, database, options: { rest: { pageSize: 5 } } });
 */
export async function startTestApp(setup: TestAppOptions): Promise<TestApp> {
  const { platform, basePath = '', logger, configure } = setup;
  const module = await compileModule(setup);
  const nest = module.createNestApplication(adapterOf(platform), { logger: logger ?? false });
  await configure?.(nest);
  await nest.listen(0, '127.0.0.1');
  const server = nest.getHttpServer() as Server;
  // A test may keep this process busy for longer than the five seconds after which Node closes a connection that `fetch` would use again.
  server.keepAliveTimeout = 60_000;
  const agent = supertest.agent(server);
  const { strict = false, endpoint = ENDPOINT } = setup.options?.rest ?? {};
  const contract = once(() => contractOf(nest, setup));
  const held = isHeldToContract() ? { contract } : {};
  return {
    nest,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    agent,
    rest: new RestClient({ agent, prefix: `${basePath}/api/rest`, strict, endpoint, ...held }),
    rpc: new RpcClient({ agent, prefix: `${basePath}/api/rpc`, ...held }),
    contract,
    close: () => nest.close(),
  };
}

/**
 * Whether clients hold the answers of this test file against the document of their application: to compile its schemas is a sixth of all work, which
 * `npm test` does in a quarter of the files, by the length of their names.
 */
function isHeldToContract(): boolean {
  const { testPath = '' } = expect.getState();
  return PROFILE !== 'quick' || (testPath.length - testPath.lastIndexOf('/')) % 4 === 0;
}

/** From `test/jest/runner/globals.mjs`: `platform-turns.mjs`. */
declare const takeTurns: (names: readonly string[]) => void;

/**
 * Runs the same tests on each platform: in the profile `full` on all, in `quick` on the one that the name decides, and in `ci` on the next one. Where the platform has a
 * part in what is tested: `onPlatforms.all`, which runs on all; in `quick`, on Fastify and on one of the others.
 *
 * @example
 * onPlatforms('sorting', (platform) => { it('…', …) });
 */
export function onPlatforms(name: string, tests: (platform: Platform) => void): void {
  takeTurns(PLATFORMS.map((platform) => `${name} (${platform})`));
  onPlatforms.all(name, tests);
}

onPlatforms.all = (name: string, tests: (platform: Platform) => void): void => {
  describe.each(PLATFORMS)(`${name} (%s)`, tests);
};

/** The contracts of this worker's test files by the text of the options, because all platforms have the same document. */
const contracts = new Map<string, Contract>();

/** Only the module under test has a part in the documents of these, and the options alone decide. */
function contractOf(nest: INestApplication, { options = {}, imports, controllers, configure }: TestAppOptions): Contract {
  if (imports ?? controllers ?? configure) return Contract.of(nest);
  const text = textOf(options);
  const contract = contracts.get(text) ?? Contract.of(nest);
  contracts.set(text, contract);
  return contract;
}

/** Numbers that identify functions, classes and their objects, which have no text. */
const numbers = new WeakMap<object, number>();
let count = 0;

function textOf(options: object): string {
  return JSON.stringify(options, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (value === undefined) return 'undefined';
    if (typeof value === 'number') return String(value);
    return isPlain(value) ? value : numberOf(value);
  });
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function numberOf(value: unknown): string {
  const number = numbers.get(value as object) ?? ++count;
  numbers.set(value as object, number);
  return `object ${number}`;
}

/** Returns a function that makes the value on its first call, because not every test checks a response. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function compileModule({ imports = [], controllers = [], ...setup }: TestAppOptions): Promise<TestingModule> {
  const building = Test.createTestingModule({ imports: [resourceApi(setup), ...imports], controllers });
  // Nest creates the providers, which log warnings, before an application can have a logger.
  return (setup.logger ? building.setLogger(setup.logger) : building).compile();
}

function resourceApi({ database, options = {} }: TestAppOptions): DynamicModule {
  return ResourceApiModule.forRoot({
    schema: resourceSchema,
    ...(database && { getClient: once(() => clientOf(database)) }),
    rpc: { prefix: 'api/rpc' },
    ...options,
    rest: { prefix: 'api/rest', endpoint: ENDPOINT, ...options.rest },
    ...resourcesOf(options),
  });
}

/** The models of another schema, or those of an app that opens each by itself, need nothing of the tests' own. */
function resourcesOf({ schema, resources }: NonNullable<TestAppOptions['options']>): Pick<ResourceApiOptions, 'resources'> {
  if (schema === undefined && resources?.['*'] !== 'hidden') return { resources: { ...TEST_RESOURCES, ...resources } };
  return resources === undefined ? {} : { resources };
}

function clientOf({ prisma, sqlReads }: TestDatabase): object {
  return sqlReads ? withSql(prisma, sqlReads) : prisma;
}
