import { Inject, Injectable } from '@nestjs/common';
import { type Plan, type PlanResults } from '../data-client/plan.js';
import { runPlan } from '../data-client/run-plan.js';
import { ExplainedError } from '../errors/explained-error.js';
import { type Limits } from '../model/limits.js';
import { type ResourceModel } from '../model/resource-model.js';
import { type ApiReply, type ApiRequest } from '../platform/api-request.js';
import { LIMITS, RESOURCE_MODEL, REST_SETTINGS } from '../resource-api.constants.js';
import { explainReadError } from './explain-read-error.js';
import { parseQuery } from './parse/parse-query.js';
import {
  parseCollectionTarget,
  parseRelationshipTarget,
  parseResourceTarget,
  type PathParameters,
  type RelationshipPath,
} from './parse/parse-target.js';
import { type ResourceQuery } from './parse/resource-query.js';
import { type RestContext } from './parse/rest-context.js';
import { planCollection, planRelated, planResource } from './plan/plan-read.js';
import { pickRelated } from './render/pick-related.js';
import { pickResource } from './render/pick-resource.js';
import { renderDocument } from './render/render-document.js';
import { type RowPage } from './render/row.js';
import { type RestSettings } from './rest-settings.js';

/** Answers the GET endpoints of the REST style: parse, plan, run, render. */
@Injectable()
export class RestReadService {
  private readonly context: RestContext;

  constructor(@Inject(RESOURCE_MODEL) model: ResourceModel, @Inject(REST_SETTINGS) settings: RestSettings, @Inject(LIMITS) limits: Limits) {
    this.context = { model, settings, limits };
  }

  /** `GET /:type` */
  async fetchCollection(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const query = parseQuery(parseCollectionTarget('read', params, this.context), request.search, this.context);
    const page = await this.run(planCollection(query, this.context), query, request);
    return { status: 200, body: renderDocument(query, page as RowPage, this.context) };
  }

  /** `GET /:type/:id` */
  async fetchResource(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const query = parseQuery(parseResourceTarget('read', params, this.context), request.search, this.context);
    const row = await this.run(planResource(query, this.context), query, request);
    return { status: 200, body: renderDocument(query, { rows: [pickResource(row, query.target)] }, this.context) };
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
    return { status: 200, body: renderDocument(query, pickRelated(parent, query), this.context) };
  }

  private async run<P extends Plan>(plan: P, query: ResourceQuery, request: ApiRequest): Promise<PlanResults[P['kind']]> {
    const client = await request.client();
    try {
      return await runPlan(client, plan);
    } catch (error) {
      throw new ExplainedError((mapped) => explainReadError(mapped, query), error);
    }
  }
}
