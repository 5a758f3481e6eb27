import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import { answerStrayRequestsOnExpress, type ExpressLike, readBodiesOnExpress, yieldToHostRoutes } from './express-edge.js';
import { attachToFastify, type FastifyLike } from './fastify-edge.js';
import { PlatformEdge } from './platform-edge.service.js';

/** Attaches this module to the platform that the host has chosen, so that the host has nothing to set up. */
@Injectable()
export class PlatformService implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly edge: PlatformEdge,
  ) {
    // Under `Test.createTestingModule` the adapter comes after the providers; a standalone context never has one.
    if (this.adapter() !== undefined) this.attach();
    else
      adapterHost.init$.subscribe(() => {
        this.attach();
      });
  }

  /** Nest calls this after it has registered its routes and before its own error handler. */
  onModuleInit(): void {
    const adapter = this.adapter();
    if (adapter?.getType() !== 'express') return;
    yieldToHostRoutes(adapter.getInstance<ExpressLike>(), this.edge);
    answerStrayRequestsOnExpress(adapter.getInstance<ExpressLike>(), this.edge);
  }

  private attach(): void {
    const adapter = this.adapter();
    if (adapter?.getType() === 'express') readBodiesOnExpress(adapter.getInstance<ExpressLike>(), this.edge);
    if (adapter?.getType() === 'fastify') attachToFastify(adapter.getInstance<FastifyLike>(), this.edge);
  }

  private adapter(): AbstractHttpAdapter | undefined {
    return this.adapterHost.httpAdapter;
  }
}
