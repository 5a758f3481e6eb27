import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { MOUNTS, REGISTRATION } from '../options/tokens.js';
import type { Registration } from '../options/registration.js';
import type { StyledMount } from './entry-classes.js';
import { mountPaths } from './mount-paths.js';

/** Formats the paths of this module for the boot log. */
@Injectable()
export class MountNames {
  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(MOUNTS) private readonly mounts: readonly StyledMount[],
    @Inject(REGISTRATION) private readonly registration: Registration,
  ) {}

  /**
   * The paths of all mounts, e.g. `/api/rest, /api/rpc`. Read it after `app.init()`, because the global prefix and versioning may change
   * until then.
   */
  get all(): string {
    return formatPaths(this.mounts.flatMap(({ prefix }) => mountPaths(this.moduleRef, prefix, this.registration.module)));
  }
}

export function formatPaths(paths: readonly string[]): string {
  return paths.map((path) => path || '/').join(', ');
}
