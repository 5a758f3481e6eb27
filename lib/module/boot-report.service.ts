import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { isBound } from '../executor/client/bound-client.js';
import { describeSurface, type SurfaceEntry } from '../model/surface/describe-surface.js';
import { printClosed, printGranted, printRows, printSurface } from '../model/surface/print-surface.js';
import { rightsByPlace } from '../model/surface/rights-by-place.js';
import type { CompiledOptions } from './compile-options.js';
import { COMPILED_OPTIONS, REGISTRATION, RESOURCE_API_OPTIONS } from '../options/tokens.js';
import type { Registration } from '../options/registration.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import { BootClient } from '../platform/boot-client.service.js';
import { formatPaths } from '../platform/mount-names.service.js';
import type { MountPoint } from '../platform/mount-point.js';
import { MountPoints } from '../platform/mount-points.service.js';

/**
 * Logs at boot, after the application has registered its routes and guards: warnings, what is exposed, and whether the API has any access
 * control.
 */
@Injectable()
export class BootReport implements OnApplicationBootstrap {
  private readonly logger = new Logger('ResourceApi');

  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'access' | 'getClient'>,
    @Inject(COMPILED_OPTIONS) private readonly compiled: CompiledOptions,
    @Inject(REGISTRATION) private readonly registration: Registration,
    private readonly mounts: MountPoints,
    private readonly moduleRef: ModuleRef,
    private readonly adapterHost: HttpAdapterHost,
    private readonly client: BootClient,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { warnings, model } = this.compiled;
    for (const warning of warnings) this.logger.warn(`${placesOf(this.mounts.all)}: ${warning}`);
    for (const entry of describeSurface(model)) this.logExposed(entry);
    for (const { model: name } of model.grants?.of(model.grants.names).resources ?? []) this.logGranted(name);
    // A standalone context has no routes.
    const { httpAdapter }: { readonly httpAdapter?: unknown } = this.adapterHost;
    if (!httpAdapter || (await this.isGuarded())) return;
    this.logger.warn(unguarded(this.mounts.all));
  }

  private logExposed(entry: SurfaceEntry): void {
    const places = placesOf(this.mounts.all.filter(({ context }) => context.model.byModel.has(entry.model)));
    this.logger.log(`${places}: ${printSurface(entry)}`);
    const closed = printClosed(entry);
    if (closed !== undefined) this.logger.debug(`${places}: ${closed}`);
    if (this.compiled.rules?.rules) this.logger.log(`${places}: ${printRows(entry)}`);
  }

  /** Logs what callers with grants can access of a model, in addition to what is exposed to all callers. */
  private logGranted(name: string): void {
    const { model } = this.compiled;
    const granted = printGranted(name, rightsByPlace(model));
    const hasModel = ({
      context: {
        model: { byModel, grants },
      },
    }: MountPoint): boolean => (grants?.of(grants.names).byModel ?? byModel).has(name);
    if (granted !== undefined) this.logger.log(`${placesOf(this.mounts.all.filter(hasModel))}: ${granted}`);
  }

  /**
   * Whether the API has any access control. A client that `getClient` creates from the request, or that another module provides, counts as
   * bound to its caller, because that cannot be determined at boot.
   */
  private async isGuarded(): Promise<boolean> {
    const { access, getClient } = this.options;
    if (access === 'public' || (this.compiled.rules?.rules ?? null) !== null || this.hasGuards() || getClient?.length !== 0) return true;
    const client = await this.client.withoutRequest();
    return client === undefined || isBound(client);
  }

  /** Whether the module or the application has guards, including `APP_GUARD` and `useGlobalGuards`. */
  private hasGuards(): boolean {
    const { applicationConfig } = this.moduleRef['container'];
    const global = [...(applicationConfig?.getGlobalGuards() ?? []), ...(applicationConfig?.getGlobalRequestGuards() ?? [])];
    return this.registration.guards.length > 0 || global.length > 0;
  }
}

function placesOf(points: readonly MountPoint[]): string {
  return formatPaths(points.flatMap(({ paths }) => paths));
}

function unguarded(points: readonly MountPoint[]): string {
  return (
    `Nothing guards ${placesOf(points)}: no guard, no row rules, and one data client for all requests. ` +
    'Every client that reaches the server may read and write everything exposed there. ' +
    'Add guards (the option guards, or APP_GUARD), rules, or a getClient that binds the client to its request. ' +
    "If that is intended, set access: 'public'."
  );
}
