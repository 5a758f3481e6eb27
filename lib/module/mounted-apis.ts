import type { INestApplication } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { ActionChecks } from '../actions/action-runner.service.js';
import { mountPaths } from '../platform/mount-paths.js';
import type { ApiStyle } from '../options/api-style.js';
import type { CompiledOptions } from './compile-options.js';
import { ACTION_CHECKS, COMPILED_OPTIONS, RECORD_CHECKS, REGISTRATION, RESOURCE_API_OPTIONS } from '../options/tokens.js';
import type { Registration } from '../options/registration.js';
import type { RuntimeOptions } from '../options/resource-api-options.js';
import type { RecordChecks } from '../validation/record-check.js';

/** One `ResourceApiModule` of a running application. */
export interface MountedApi {
  readonly options: Pick<RuntimeOptions, 'schema' | 'resources'>;
  readonly compiled: CompiledOptions;
  readonly checks: RecordChecks;
  readonly actionChecks: ActionChecks;
  /** Path of each style that is on, with a leading and without a trailing slash. */
  readonly paths: ReadonlyMap<ApiStyle, string>;
}

/** Returns every API of an application, in the order of its modules. @throws TypeError if there is none */
export function mountedApis(app: INestApplication): readonly MountedApi[] {
  const all = { strict: false, each: true } as const;
  const registrations = app.get<symbol, Registration>(REGISTRATION, all);
  const compiled = app.get<symbol, CompiledOptions>(COMPILED_OPTIONS, all);
  const checks = app.get<symbol, RecordChecks>(RECORD_CHECKS, all);
  const actionChecks = app.get<symbol, ActionChecks>(ACTION_CHECKS, all);
  const moduleRef = app.get(ModuleRef);
  return app.get<symbol, MountedApi['options']>(RESOURCE_API_OPTIONS, all).map((options, index) => {
    const [registration, own, check] = [registrations[index], compiled[index], checks[index]];
    const actionCheck = actionChecks[index];
    if (!registration || !own || !check || !actionCheck) throw new TypeError('The application has no ResourceApiModule.');
    const paths = registration.mounts.map(
      ({ style, prefix }) => [style, mountPaths(moduleRef, prefix, registration.module)[0] ?? ''] as const,
    );
    return { options, compiled: own, checks: check, actionChecks: actionCheck, paths: new Map(paths) };
  });
}
