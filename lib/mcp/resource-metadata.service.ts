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
    const served = SERVED.get(adapter) ?? new Set<string>();
    SERVED.set(adapter, served);
    for (const path of paths) {
      // The first endpoint of several has the path of the host, and a public path that they share. Fastify rejects a second route.
      const routes = ['', path, this.publicPath ?? path].map((suffix) => METADATA_PATH + suffix);
      for (const route of routes) {
        if (!served.has(route)) this.serve(adapter, route, path);
        served.add(route);
      }
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

/** The routes of each application, by its adapter. */
const SERVED = new WeakMap<object, Set<string>>();
