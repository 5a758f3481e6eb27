import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { dataLayerError } from '../errors/data-layer-error.js';
import { isHttpException } from '../errors/from-http-exception.js';
import type { ResourceModel } from '../model/resource-model.js';
import { RESOURCE_API_OPTIONS, RESOURCE_MODEL } from '../options/tokens.js';
import type { Grant, ResourceApiOptions } from '../options/resource-api-options.js';
import type { PlatformRequest } from '../http/platform-request.js';

/** Evaluates which of the grants that the option `resources` names a caller holds. */
@Injectable()
export class CallerGrants {
  private readonly evaluated: readonly (readonly [name: string, grant: Grant])[];

  constructor(
    @Inject(RESOURCE_API_OPTIONS) { grants = {} }: Pick<ResourceApiOptions, 'grants'>,
    @Inject(RESOURCE_MODEL) model: ResourceModel,
  ) {
    const names = model.grants?.names ?? [];
    // Names without a function have been rejected at boot.
    this.evaluated = names.flatMap((name) => {
      const grant = grants[name];
      return grant ? [[name, grant] as const] : [];
    });
  }

  /**
   * Returns the names of the grants that the caller of a request holds.
   *
   * @throws GrantError for a grant that throws or does not return a boolean; an `HttpException` or ApiError of a grant is thrown unchanged
   * @throws ApiError `unavailable` for a grant that cannot reach its database
   */
  async of(request: PlatformRequest): Promise<readonly string[]> {
    const held = await Promise.all(this.evaluated.map(async ([name, grant]) => ((await isHeld(name, grant, request)) ? [name] : [])));
    return held.flat();
  }
}

async function isHeld(name: string, grant: Grant, request: PlatformRequest): Promise<boolean> {
  let given: unknown;
  try {
    given = await grant(request);
  } catch (cause) {
    if (cause instanceof ApiError || isHttpException(cause)) throw cause;
    const error = dataLayerError(cause);
    if (error?.problems[0].code === 'unavailable') throw error;
    throw new GrantError(name, `threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (typeof given === 'boolean') return given;
  throw new GrantError(name, `gave ${given === null ? 'null' : typeof given}. Let it give true or false, or a promise of one.`);
}

/** The error of a grant without a valid result. It is an error of the application, which is logged and answered with 500. */
class GrantError extends Error {
  override readonly name = 'GrantError';

  constructor(grant: string, problem: string, options?: ErrorOptions) {
    super(`grants.${grant} ${problem}`, options);
  }
}
