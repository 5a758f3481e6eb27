// An application with Swagger UI on the platform of its environment, for docs-on-platforms.test.ts. It runs in a separate process, from the built package.
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

const adapter = process.env.PLATFORM === 'fastify' ? [new FastifyAdapter()] : [];
const app = await NestFactory.create(api, ...adapter, { logger: ['error'] });
app.enableCors({ origin: ['http://front.test'] });
app.setGlobalPrefix('v1');
await ResourceApiModule.setupDocs(app, { path: 'docs', title: 'The title' });
await app.listen(process.env.PORT ?? 3000);
console.log('listens');
