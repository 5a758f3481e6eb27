// An application whose process has `@opentelemetry/api`, or has not, by its argument. It prints the status of a request and which files of OpenTelemetry are loaded.
import 'reflect-metadata';
import { createRequire, register } from 'node:module';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const ABSENT = `export function resolve(name, context, next) {
  if (name === '@opentelemetry/api') throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
}`;
if (process.argv[2] === 'absent') register(`data:text/javascript,${encodeURIComponent(ABSENT)}`);
const { ResourceApiModule } = await import('../../../dist/index.js');

const fields = { id: { kind: 'scalar', type: 'Int' } };
const schema = {
  version: 2,
  provider: 'postgresql',
  enums: {},
  models: { Post: { fields, primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] } },
};
const getClient = () => ({ post: { findMany: () => Promise.resolve([{ id: 1 }]) } });

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- Nest's modules are.
class AppModule {}
Module({ imports: [ResourceApiModule.forRoot({ schema, getClient, rpc: { prefix: 'api' }, access: 'public' })] })(AppModule);
const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
const { status } = await fetch(`${await app.getUrl()}/api/post/findMany`);
await app.close();
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('@opentelemetry'));
console.log(JSON.stringify({ status, isLoaded: loaded.length > 0 }));
