import { type INestApplication } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { mountPoint } from '../platform/mount-point.js';
import { type CompiledOptions } from '../resource-api.compiled-options.js';
import { COMPILED_OPTIONS, REGISTRATION, RESOURCE_API_OPTIONS, RESOURCE_MODEL } from '../resource-api.constants.js';
import { type ApiStyle, type Registration } from '../resource-api.module-definition.js';
import { type RuntimeOptions } from '../resource-api.options.js';
import { type ResourceModel } from '../model/resource-model.js';

/** One `ResourceApiModule` of a running application. */
export interface MountedApi {
  readonly model: ResourceModel;
  readonly options: Pick<RuntimeOptions, 'schema' | 'resources'>;
  /** Joins the parts of compound ids in REST. */
  readonly divider: string;
  /** How many rows a probe may ask for. */
  readonly rows: number;
  /** Path of each style that is on. */
  readonly paths: ReadonlyMap<ApiStyle, string>;
}

/** Every API of an application, in the order of its modules. @throws TypeError where there is none */
export function mountedApis(app: INestApplication): readonly MountedApi[] {
  const all = { strict: false, each: true } as const;
  const registrations = app.get<symbol, Registration>(REGISTRATION, all);
  const models = app.get<symbol, ResourceModel>(RESOURCE_MODEL, all);
  const compiled = app.get<symbol, CompiledOptions>(COMPILED_OPTIONS, all);
  const moduleRef = app.get(ModuleRef);
  return app.get<symbol, MountedApi['options']>(RESOURCE_API_OPTIONS, all).map((options, index) => {
    const registration = registrations[index];
    const model = models[index];
    if (!registration || !model) throw new TypeError('The application has no ResourceApiModule.');
    const points = registration.mounts.map((mount) => mountPoint(moduleRef, mount, registration.module));
    const { rest, limits } = compiled[index] ?? {};
    return {
      model,
      options,
      divider: rest?.idDivider ?? '_',
      rows: Math.min(ROWS, rest?.maxPageSize ?? ROWS, limits?.maxTake ?? ROWS),
      paths: new Map(points.map(({ style, paths: [path = ''] }) => [style, path])),
    };
  });
}

/** Some rows, since they need not show the same. */
const ROWS = 5;

/** What probes have to know of an API beside its model. */
export type ProbeSettings = Pick<MountedApi, 'divider' | 'rows'>;
