import { Injectable, Logger } from '@nestjs/common';
import type { Plan } from '../executor/plan.js';
import { ExplainedError } from '../errors/explained-error.js';
import { PlanRunner } from '../run/plan-runner.service.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { planCollectionRead, type ReadRequest, planRelatedRead, planResourceRead } from './read-request.js';
import { documentReply } from './document-reply.js';
import { explainReadError } from './explain-read-error.js';
import type { PathParameters } from './parse/target.js';
import type { PlanContext } from './plan/plan-context.js';
import { versionOf } from './render/resource-text.js';
import { RANDOM_KEYS } from '../options/rest-settings.js';

/** Handles the endpoints of the REST style that read: parse, plan, run, render. */
@Injectable()
export class RestReadService {
  private readonly logger = new Logger('ResourceApi');
  private hasWarnedOfRandomOrder = false;

  constructor(private readonly runner: PlanRunner) {}

  /** Handles `GET` and `QUERY /:type`. */
  fetchCollection(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    return this.fetch(planCollectionRead(params, request, context), request);
  }

  /** Handles `GET /:type/:id`. */
  fetchResource(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    return this.fetch(planResourceRead(params, request, context), request);
  }

  /** Handles `GET` and `QUERY /:type/:id/:relationship`. */
  fetchRelated(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    return this.fetch(planRelatedRead('related', params, request, context), request);
  }

  /** Handles `GET` and `QUERY /:type/:id/relationships/:relationship`. */
  fetchRelationship(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    return this.fetch(planRelatedRead('relationship', params, request, context), request);
  }

  private async fetch<P extends Plan>({ query, planned, context, headers }: ReadRequest<P>, request: ApiRequest): Promise<ApiReply> {
    if (query.hasCursors) this.tellRandomKeys(context);
    const results = await this.runner.run(planned.plan, request).catch((error: unknown) => {
      throw new ExplainedError((mapped) => explainReadError(mapped, query), error);
    });
    const page = planned.read(results);
    const version = query.target.kind === 'resource' ? versionOf(page.rows[0], query.resource) : undefined;
    return documentReply(page, { query, request, context, ...version, ...(headers && { headers }) });
  }

  /** Warns once that the keys of cursors are random, unless the boot log has the warning. */
  private tellRandomKeys({ settings, model }: PlanContext): void {
    if (this.hasWarnedOfRandomOrder) return;
    this.hasWarnedOfRandomOrder = true;
    const isToldAtBoot = model.resources.some(({ pagination }) => pagination === 'cursor');
    if (settings.cursorKeys === undefined && !isToldAtBoot) this.logger.warn(RANDOM_KEYS);
  }
}
