import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { isHttpException } from '../errors/http-error.js';
import type { ResourceModel } from '../model/resource-model.js';
import { RESOURCE_API_OPTIONS, RESOURCE_MODEL } from '../options/tokens.js';
import type { Grant, ResourceApiOptions } from '../options/resource-api-options.js';
import type { PlatformRequest } from '../http/platform-request.js';

/** Asks the host which grants a caller holds: those that the option `resources` names. */
@Injectable()
export class CallerGrants {
  private readonly asked: readonly (readonly [name: string, grant: Grant])[];

  constructor(
    @Inject(RESOURCE_API_OPTIONS) { grants = {} }: Pick<ResourceApiOptions, 'grants'>,
    @Inject(RESOURCE_MODEL) model: ResourceModel,
  ) {
    const names = model.grants?.names ?? [];
    // Boot has refused a name that the option does not have.
    this.asked = names.flatMap((name) => {
      const grant = grants[name];
      return grant ? [[name, grant] as const] : [];
    });
  }

  /**
   * @throws GrantError for a grant that throws or gives anything else than true or false; what is an answer of the host's (an `HttpException` or an
   * ApiError) is thrown as it is
   */
  async of(request: PlatformRequest): Promise<readonly string[]> {
    const held = await Promise.all(this.asked.map(async ([name, grant]) => ((await isHeld(name, grant, request)) ? [name] : [])));
    return held.flat();
  }
}

async function isHeld(name: string, grant: Grant, request: PlatformRequest): Promise<boolean> {
  let given: unknown;
  try {
    given = await grant(request);
  } catch (cause) {
    if (cause instanceof ApiError || isHttpException(cause)) throw cause;
    throw new GrantError(name, `threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (typeof given === 'boolean') return given;
  throw new GrantError(name, `gave ${given === null ? 'null' : typeof given}. Let it give true or false, or a promise of one.`);
}

/** A grant that says neither yes nor no: an error of the host's, which answers 500 and is logged. */
class GrantError extends Error {
  override readonly name = 'GrantError';

  constructor(grant: string, problem: string, options?: ErrorOptions) {
    super(`grants.${grant} ${problem}`, options);
  }
}
