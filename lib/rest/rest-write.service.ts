import { Inject, Injectable } from '@nestjs/common';
import { runPlan } from '../data-client/run-plan.js';
import { ApiError } from '../errors/api-error.js';
import { ExplainedError } from '../errors/explained-error.js';
import { type Limits } from '../model/limits.js';
import { type ResourceModel } from '../model/resource-model.js';
import { type ApiReply, type ApiRequest } from '../platform/api-request.js';
import { LIMITS, RECORD_CHECKS, RESOURCE_MODEL, REST_SETTINGS } from '../resource-api.constants.js';
import { type RecordChecks } from '../validation/record-check.js';
import { explainWriteError } from './explain-write-error.js';
import { checkContentType } from './media-type.js';
import { checkNoQuery, parseAnswerQuery } from './parse/parse-answer-query.js';
import { parseDocument } from './parse/parse-document.js';
import { parseLinkageDocument } from './parse/parse-linkage-document.js';
import { parseLinkageTarget, parseRelatedLinkageTarget } from './parse/parse-linkage-target.js';
import { parseQuery } from './parse/parse-query.js';
import {
  type CollectionTarget,
  parseCollectionTarget,
  parseResourceTarget,
  type PathParameters,
  type RelationshipTarget,
  type ResourceTarget,
} from './parse/parse-target.js';
import { type RestContext } from './parse/rest-context.js';
import { type LinkageIntent, type ResourceIntent, type WriteIntent } from './parse/write-intent.js';
import { selectKey } from './plan/linkage-checks.js';
import { type AnswerPlan, limitAnswer, planAnswer, planLinkageAnswer } from './plan/plan-answer.js';
import { planWrite } from './plan/plan-write.js';
import { pickRelated } from './render/pick-related.js';
import { renderDocument } from './render/render-document.js';
import { type Row } from './render/row.js';
import { selfLink } from './render/self-link.js';
import { type RestSettings } from './rest-settings.js';
import { validateIntent } from './validate-intent.js';

/**
 * Answers the endpoints of the REST style that write: parse, plan, run, render.
 *
 * All of a request is read before the data client is asked for, and its write returns what the answer shows.
 */
@Injectable()
export class RestWriteService {
  private readonly context: RestContext;

  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(RESOURCE_MODEL) model: ResourceModel,
    @Inject(REST_SETTINGS) settings: RestSettings,
    @Inject(LIMITS) limits: Limits,
    @Inject(RECORD_CHECKS) private readonly checks: RecordChecks,
  ) {
    this.context = { model, settings, limits };
  }

  /** `POST /:type`, also for upserts. */
  async createResource(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const target = parseCollectionTarget('create', params, this.context);
    const query = parseAnswerQuery(target.resource, request.search, this.context);
    const intent = await this.readIntent(target, request);
    const row = await this.write(intent, planAnswer(query, this.context), request);
    const body = renderDocument(query, { rows: [row] }, this.context);
    return { status: 201, headers: { Location: selfLink(body) }, body };
  }

  /** `PATCH` and `PUT /:type/:id` (decision D3). */
  async updateResource(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const target = parseResourceTarget('update', params, this.context);
    const query = parseAnswerQuery(target.resource, request.search, this.context);
    const intent = await this.readIntent(target, request);
    const row = await this.write(intent, planAnswer(query, this.context), request);
    return { status: 200, body: renderDocument(query, { rows: [row] }, this.context) };
  }

  /** `DELETE /:type/:id`; a body that clients send along is not read (DE-04). */
  async deleteResource(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const { resource, id } = parseResourceTarget('delete', params, this.context);
    checkNoQuery(request.search, this.context);
    await this.write({ kind: 'delete', resource, id }, { select: {}, related: {} }, request);
    return { status: 204 };
  }

  /** `POST /:type/:id/relationships/:relationship` */
  addToRelationship(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    return this.changeLinkage('add', parseLinkageTarget('add', params, this.context), request);
  }

  /** `PATCH` and `PUT /:type/:id/relationships/:relationship` */
  replaceRelationship(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    return this.changeLinkage('replace', parseLinkageTarget('replace', params, this.context), request);
  }

  /** `DELETE /:type/:id/relationships/:relationship` */
  removeFromRelationship(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    return this.changeLinkage('remove', parseLinkageTarget('remove', params, this.context), request);
  }

  /** `PATCH` and `PUT /:type/:id/:relationship`: another URL of {@link replaceRelationship}, for to-one (decision D14). */
  replaceRelated(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    return this.changeLinkage('replace', parseRelatedLinkageTarget(params, this.context), request);
  }

  /** Answers with the linkage as `GET` would (decision D11), or with nothing where the caller may not read it. */
  private async changeLinkage(kind: LinkageIntent['kind'], target: RelationshipTarget, request: ApiRequest): Promise<ApiReply> {
    const isShown = target.resource.actions.has('read') && target.relationship.rights.read;
    const query = isShown ? parseQuery(target, request.search, this.context) : undefined;
    if (!query) checkNoQuery(request.search, this.context);
    const intent: LinkageIntent = { kind, target, linkage: parseLinkageDocument(target, this.readBody(request), this.context) };
    const answer = query ? planLinkageAnswer(query, this.context) : { select: selectKey(target.resource.identifier), related: {} };
    const row = await this.write(intent, answer, request);
    return query ? { status: 200, body: renderDocument(query, pickRelated(row, query), this.context) } : { status: 204 };
  }

  private readIntent(target: CollectionTarget | ResourceTarget, request: ApiRequest): Promise<ResourceIntent> {
    return validateIntent(parseDocument(target, this.readBody(request), this.context), this.checks);
  }

  private readBody(request: ApiRequest): unknown {
    if (request.hasBody) checkContentType(request.headers['content-type'], this.context.settings.strict);
    return request.json();
  }

  /** The row that the write, which comes last in its plan, returns. */
  private async write(intent: WriteIntent, answer: AnswerPlan, request: ApiRequest): Promise<Row> {
    const plan = limitAnswer(planWrite(intent, answer.select), answer, this.context.limits.maxTake);
    const client = await request.client();
    try {
      const results = await runPlan(client, plan);
      return results.at(-1) as Row;
    } catch (error) {
      throw error instanceof ApiError ? error : new ExplainedError((mapped) => explainWriteError(mapped, intent), error);
    }
  }
}
