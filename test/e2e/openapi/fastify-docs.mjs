// An application on Fastify with Swagger UI, for fastify-docs.test.ts: it runs in a process of its own, from the built package.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ResourceApiModule } from 'nestjs-resource-api';

const id = { kind: 'scalar', type: 'Int', default: { kind: 'function', name: 'autoincrement' } };
const post = { fields: { id, title: { kind: 'scalar', type: 'String' } }, primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] };

const api = ResourceApiModule.forRoot({
  schema: { version: 2, provider: 'postgresql', enums: {}, models: { Post: post } },
  getClient: () => ({}),
  rest: { prefix: 'api/rest', endpoint: 'http://api.test/api/rest' },
  rpc: { prefix: 'api/rpc' },
});

const app = await NestFactory.create(api, new FastifyAdapter(), { logger: ['error'] });
app.setGlobalPrefix('v1');
await ResourceApiModule.setupDocs(app, { path: 'docs', title: 'On Fastify' });
await app.listen(process.env.PORT ?? 3000);
console.log('listens');
