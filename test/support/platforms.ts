import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NodeAdapter } from './node-platform/node-adapter.js';

export const PLATFORMS = ['express', 'fastify', 'node'] as const;
export type Platform = (typeof PLATFORMS)[number];

export function adapterOf(platform: Platform): AbstractHttpAdapter {
  switch (platform) {
    case 'express':
      return new ExpressAdapter();
    case 'fastify':
      return new FastifyAdapter();
    case 'node':
      return new NodeAdapter();
  }
}
