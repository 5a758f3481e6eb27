import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { MOUNTS, REGISTRATION } from '../options/tokens.js';
import type { Registration } from '../options/registration.js';
import type { StyledMount } from './entry-classes.js';
import { mountPaths } from './mount-paths.js';

/** Says where this module is, in lines of the boot log. */
@Injectable()
export class MountNames {
  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(MOUNTS) private readonly mounts: readonly StyledMount[],
    @Inject(REGISTRATION) private readonly registration: Registration,
  ) {}

  /** E.g. `/api/rest, /api/rpc`. The global prefix and versioning may be set until `app.init()`, so ask no sooner. */
  get all(): string {
    return formatPaths(this.mounts.flatMap(({ prefix }) => mountPaths(this.moduleRef, prefix, this.registration.module)));
  }
}

export function formatPaths(paths: readonly string[]): string {
  return paths.map((path) => path || '/').join(', ');
}
