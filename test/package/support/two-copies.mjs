// An application of ES modules, with a part in it that is CommonJS: the process loads both copies of the package. Prints whether one copy
// recognizes objects of the other.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ConfigurationError, RESOURCE_MODEL, ResourceApiModule } from 'nestjs-resource-api';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const other = require('nestjs-resource-api');
const { assertNoLeak } = require('nestjs-resource-api/testing');

const schema = {
  version: 2,
  provider: 'postgresql',
  enums: {},
  models: {
    Post: {
      fields: { id: { kind: 'scalar', type: 'Int' }, title: { kind: 'scalar', type: 'String' } },
      primaryKey: { name: 'id', fields: ['id'] },
      uniqueKeys: [],
    },
  },
};

const prisma = {
  post: {
    count: () => Promise.resolve(1),
    findMany: () => Promise.resolve([{ id: 1, title: 'Hello' }]),
    findFirst: () => Promise.reject(new other.AccessDeniedError()),
    findUnique: () => Promise.reject(new Error('full')),
  },
  $transaction: (calls) => Promise.all(calls),
};

const guarded = [];
const guard = { canActivate: (context) => guarded.push(other.resourceOperation(context)?.operation) > 0 };

const api = ResourceApiModule.forRoot({
  schema,
  getClient: () => prisma,
  mapError: ({ message }) => (message === 'full' ? new other.ApiError('unavailable', 'Full.') : undefined),
  guards: [guard],
  rest: { prefix: 'rest', endpoint: 'http://api.test/rest' },
  rpc: { prefix: 'rpc' },
});

const app = await NestFactory.create(api, { logger: false });
await app.listen(0, '127.0.0.1');
const url = await app.getUrl();
const statusOf = async (path, init) => (await fetch(`${url}/${path}`, init)).status;
const batch = JSON.stringify([{ model: 'post', op: 'count' }]);

const statuses = {
  list: await statusOf('rest/post'),
  denied: await statusOf('rpc/post/findFirst'),
  mapped: await statusOf('rpc/post/findUnique?q={"where":{"id":1}}'),
  batch: await statusOf('rpc/$transaction/sequential', { method: 'POST', body: batch, headers: { 'content-type': 'application/json' } }),
};

const report = {
  copies: new Set([ResourceApiModule, other.ResourceApiModule]).size,
  statuses,
  guarded: [...guarded],
  model: app.get(RESOURCE_MODEL) === app.get(other.RESOURCE_MODEL),
  configurationError: thrownBy(() => other.ResourceApiModule.forRoot({ schema, wrong: true })) instanceof ConfigurationError,
  leak: await assertNoLeak(app, { model: 'Post', field: 'title' }).catch((error) => error.name),
};
await app.close();
console.log(JSON.stringify(report));

function thrownBy(act) {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
