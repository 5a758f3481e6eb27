import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Contender } from '../contenders.js';

/** Starts a Nest application on the platform of its contender. */
export async function listen(module: Type | DynamicModule, { platform }: Contender): Promise<number> {
  const app =
    platform === 'Fastify'
      ? await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: ['error'] })
      : await NestFactory.create(module, { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  return portOf(app.getHttpServer() as Server);
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
