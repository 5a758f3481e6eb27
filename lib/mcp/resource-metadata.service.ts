import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import type { McpSettings } from '../options/mcp-settings.js';
import { MCP_SETTINGS } from '../options/tokens.js';
import { MountPoints } from '../platform/mount-points.service.js';
import { METADATA_PATH, metadataOf } from './resource-metadata.js';

/** Serves the OAuth metadata of the endpoint: for the host, and for its path. Without guards, because a client reads it before it has a token. */
@Injectable()
export class ResourceMetadata implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly mounts: MountPoints,
    @Inject(MCP_SETTINGS) private readonly settings: McpSettings,
  ) {}

  onModuleInit(): void {
    // A standalone application context has no adapter, which Nest's types ignore.
    const adapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | null | undefined;
    if (!adapter || !this.settings.resourceMetadata) return;
    const paths = this.mounts.all.filter(({ style }) => style.name === 'mcp').flatMap((point) => point.paths);
    for (const [index, path] of paths.entries()) {
      // The metadata of the host is that of its first endpoint.
      if (index === 0 && !SERVED.has(adapter)) this.serve(adapter, METADATA_PATH, path);
      SERVED.add(adapter);
      for (const suffix of new Set([path, this.publicPath ?? path])) this.serve(adapter, METADATA_PATH + suffix, path);
    }
  }

  /** The path of the option `resource`, to whose metadata a 401 leads. A proxy may have another one than the application. */
  private get publicPath(): string | undefined {
    const { resource } = this.settings.resourceMetadata ?? {};
    return resource === undefined ? undefined : new URL(resource).pathname.replace(/\/$/, '');
  }

  private serve(adapter: AbstractHttpAdapter, route: string, path: string): void {
    const { resourceMetadata } = this.settings;
    // Returns nothing, because Fastify would send what a promise resolves to.
    adapter.get(route, (request: object, response: object) => {
      // The response repeats the host of its request, so that no cache may store it.
      adapter.setHeader(response, 'Cache-Control', 'no-store');
      adapter.setHeader(response, 'Access-Control-Allow-Origin', '*');
      adapter.setHeader(response, 'Content-Type', 'application/json; charset=utf-8');
      adapter.reply(response, resourceMetadata && metadataOf(resourceMetadata, request, path), 200);
    });
  }
}

/** The adapters of the applications that serve the metadata of their host. */
const SERVED = new WeakSet<object>();
