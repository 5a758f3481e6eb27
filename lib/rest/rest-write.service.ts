import { Inject, Injectable } from '@nestjs/common';
import { PlanRunner } from '../data-client/plan-runner.service.js';
import { ApiError } from '../errors/api-error.js';
import { ExplainedError } from '../errors/explained-error.js';
import type { ApiReply, ApiRequest } from '../platform/api-request.js';
import { RECORD_CHECKS } from '../resource-api.constants.js';
import type { RecordChecks } from '../validation/record-check.js';
import { writtenReply } from '../platform/written-reply.js';
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
import type { LinkageIntent, ResourceIntent, WriteIntent } from './parse/write-intent.js';
import { limitAnswer, planLinkageAnswer } from './plan/plan-answer.js';
import { type PlanContext, REST_CONTEXT } from './plan/plan-context.js';
import { planSelect } from './plan/plan-read.js';
import { isUpdated, planWrite } from './plan/plan-write.js';
import { requireAffordable } from './plan/require-affordable.js';
import type { Select } from './projection/projection.js';
import type { Row } from './projection/row.js';
import { selectKey } from './projection/select-projection.js';
import { pickRelated } from './render/pick-related.js';
import { renderDocument } from './render/render-document.js';
import { rowUrl } from './render/resource-urls.js';
import { validateIntent } from './validate-intent.js';

/**
 * Answers the endpoints of the REST style that write: parse, plan, run, render.
 *
 * All of a request is read before the data client is asked for, and its write returns what the answer shows.
 */
@Injectable()
export class RestWriteService {
  constructor(
    @Inject(REST_CONTEXT) private readonly context: PlanContext,
    @Inject(RECORD_CHECKS) private readonly checks: RecordChecks,
    private readonly runner: PlanRunner,
  ) {}

  /** `POST /:type`, also for upserts; one that has updated answers 200. */
  async createResource(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const target = parseCollectionTarget('create', params, this.context);
    const query = parseAnswerQuery(target.resource, request.search, this.context);
    const intent = await this.readIntent(target, request);
    return this.write({ intent, answer: planSelect(query, this.context), request }, ({ row, isUpdate }) => {
      const document = renderDocument(query, { rows: [row] }, this.context);
      if (isUpdate) return writtenReply({ status: 200 }, document);
      return writtenReply({ status: 201, headers: { Location: rowUrl(row, target.resource, this.context.settings) } }, document);
    });
  }

  /** `PATCH` and `PUT /:type/:id` (decision D3). */
  async updateResource(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const target = parseResourceTarget('update', params, this.context);
    const query = parseAnswerQuery(target.resource, request.search, this.context);
    const intent = await this.readIntent(target, request);
    return this.write({ intent, answer: planSelect(query, this.context), request }, ({ row }) => {
      return writtenReply({ status: 200 }, renderDocument(query, { rows: [row] }, this.context));
    });
  }

  /** `DELETE /:type/:id`; a body that clients send along is not read (DE-04). */
  async deleteResource(params: PathParameters, request: ApiRequest): Promise<ApiReply> {
    const { resource, id } = parseResourceTarget('delete', params, this.context);
    checkNoQuery(request.search, this.context);
    return this.write({ intent: { kind: 'delete', resource, id }, answer: {}, request }, () => ({ status: 204 }));
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
    const answer = query ? planLinkageAnswer(query, this.context) : selectKey(target.resource.identifier);
    return this.write({ intent, answer, request }, ({ row }) => {
      return query ? writtenReply({ status: 200 }, renderDocument(query, pickRelated(row, query), this.context)) : { status: 204 };
    });
  }

  private readIntent(target: CollectionTarget | ResourceTarget, request: ApiRequest): Promise<ResourceIntent> {
    return validateIntent(parseDocument(target, this.readBody(request), this.context), this.checks);
  }

  private readBody(request: ApiRequest): unknown {
    if (request.hasBody) checkContentType(request.headers['content-type'], this.context.settings.strict);
    return request.json();
  }

  /** Shows the row that the write, which comes last in its plan, returns, and whether it is an upsert that found one to update. */
  private async write({ intent, answer, request }: Write, render: (written: Written) => ApiReply): Promise<ApiReply> {
    const { model, limits } = this.context;
    const { resource } = 'target' in intent ? intent.target : intent;
    const plan = limitAnswer(planWrite(intent, answer, model.storage), resource, this.context);
    requireAffordable({ resource, args: plan.calls.at(-1)?.args ?? {} }, limits);
    try {
      return await this.runner.answer(plan, request, (results) => {
        return render({ row: results.at(-1) as Row, isUpdate: isUpdated(intent, results) });
      });
    } catch (error) {
      throw error instanceof ApiError
        ? error
        : new ExplainedError((mapped) => explainWriteError(mapped, intent, this.context.model.storage), error);
    }
  }
}

/** What is written, for whom, and what of it is answered. */
interface Write {
  readonly intent: WriteIntent;
  readonly answer: Select;
  readonly request: ApiRequest;
}

/** What a write has come to. */
interface Written {
  readonly row: Row;
  readonly isUpdate: boolean;
}
