import { Inject, Injectable } from '@nestjs/common';
import type { Plan, PlanResults } from '../data-client/plan.js';
import { PlanRunner } from '../data-client/plan-runner.service.js';
import { ExplainedError } from '../errors/explained-error.js';
import type { ApiReply, ApiRequest } from '../platform/api-request.js';
import { writtenReply } from '../platform/written-reply.js';
import { explainReadError } from './explain-read-error.js';
import { parseQuery } from './parse/parse-query.js';
import {
  parseCollectionTarget,
  parseRelationshipTarget,
  parseResourceTarget,
  type PathParameters,
  type RelationshipPath,
} from './parse/parse-target.js';
import type { ResourceQuery } from './parse/resource-query.js';
import { type PlanContext, REST_CONTEXT } from './plan/plan-context.js';
import { planCollection, planRelated, planResource } from './plan/plan-read.js';
import type { RowPage } from './projection/row.js';
import { pickRelated } from './render/pick-related.js';
import { pickResource } from './render/pick-resource.js';
import { renderDocument } from './render/render-document.js';

/** Answers the GET endpoints of the REST style: parse, plan, run, render. */
@Injectable()
export class RestReadService {
  constructor(
    @Inject(REST_CONTEXT) private readonly context: PlanContext,
    private readonly runner: PlanRunner,
  ) {}

  /** `GET /:type` */
  async fetchCollection(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const query = parseQuery(parseCollectionTarget('read', params, this.context), request.search, this.context);
    const page = await this.run(planCollection(query, this.context), query, request);
    return writtenReply({ status: 200 }, renderDocument(query, page as RowPage, this.context));
  }

  /** `GET /:type/:id` */
  async fetchResource(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const query = parseQuery(parseResourceTarget('read', params, this.context), request.search, this.context);
    const row = await this.run(planResource(query, this.context), query, request);
    return writtenReply({ status: 200 }, renderDocument(query, { rows: [pickResource(row, query.target)] }, this.context));
  }

  /** `GET /:type/:id/:relationship` */
  fetchRelated(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    return this.fetchThrough({ kind: 'related', params }, request);
  }

  /** `GET /:type/:id/relationships/:relationship` */
  fetchRelationship(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    return this.fetchThrough({ kind: 'relationship', params }, request);
  }

  private async fetchThrough(path: RelationshipPath, request: ApiRequest): Promise<ApiReply> {
    const query = parseQuery(parseRelationshipTarget('read', path, this.context), request.search, this.context);
    const parent = await this.run(planRelated(query, this.context), query, request);
    return writtenReply({ status: 200 }, renderDocument(query, pickRelated(parent, query), this.context));
  }

  private async run<P extends Plan>(plan: P, query: ResourceQuery, request: ApiRequest): Promise<PlanResults[P['kind']]> {
    try {
      return await this.runner.run(plan, request);
    } catch (error) {
      throw new ExplainedError((mapped) => explainReadError(mapped, query), error);
    }
  }
}
