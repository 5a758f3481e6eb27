import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ApiError } from '../errors/api-error.js';
import { toApiError } from '../errors/to-api-error.js';
import { COMPILED_OPTIONS, MOUNTS, RESOURCE_API_OPTIONS } from '../resource-api.constants.js';
import type { CompiledOptions } from '../resource-api.compiled-options.js';
import type { ResourceApiOptions } from '../resource-api.options.js';
import type { ApiReply } from './api-request.js';
import type { StyledMount } from './entry-classes.js';
import { hideUnknownNames } from './hide-unknown-names.js';
import type { Style } from './style.js';

/** Tells anything thrown in the shape of a style; unexpected errors are logged with the id that their answer carries. */
@Injectable()
export class ErrorResponder {
  private readonly logger = new Logger('ResourceApi');
  private readonly words: ReadonlySet<string>;

  constructor(
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'mapError'>,
    @Inject(COMPILED_OPTIONS) private readonly compiled: CompiledOptions,
    @Inject(MOUNTS) mounts: readonly StyledMount[],
  ) {
    this.words = new Set(mounts.flatMap(({ style }) => [...style.words]));
  }

  replyTo(thrown: unknown, style: Style): ApiReply {
    const error = hideUnknownNames(toApiError(thrown, this.options.mapError), this.compiled.model, this.words);
    const id = error.status >= 500 ? this.log(error) : undefined;
    return style.renderError(error, { strict: this.compiled.rest?.strict ?? false, id });
  }

  /** The cause goes to the log only; the id leads from an answer to it. */
  private log(error: ApiError): string {
    const id = randomUUID();
    const cause = error.cause instanceof Error ? error.cause : error;
    const text = `${error.problems[0].code} ${id}: ${cause.message}`;
    if (error.status === 503) this.logger.warn(text);
    else this.logger.error(text, cause.stack);
    return id;
  }
}
