import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { ExplainedError } from '../errors/explained-error.js';
import { isConditionUnmet } from '../errors/is-condition-unmet.js';
import { PlanRunner } from '../run/plan-runner.service.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import type { Selection } from '../query/selection.js';
import { RECORD_CHECKS } from '../options/tokens.js';
import type { RecordChecks } from '../validation/record-check.js';
import { parseCreate, parseDelete, type LinkageRequest, parseLinkageChange, parseRelatedChange, parseUpdate } from './write-request.js';
import { documentReply } from './document-reply.js';
import { explainWriteError } from './explain-write-error.js';
import type { PathParameters } from './parse/target.js';
import { changesAsAsked, type WriteIntent } from './parse/write-intent.js';
import type { PlanContext } from './plan/plan-context.js';
import { keySelection, planLinked, planSelection } from './plan/plan-read.js';
import { planWrite, type WriteResult } from './plan/plan-write.js';
import { applyPreference, createdAsAsked, preferReturn } from './prefer-return.js';
import { versionOf } from './render/resource-text.js';
import { rowUrl } from './render/resource-urls.js';
import { resolveRowHash, type Requirement, requiredIntent, requirementOf, unmet } from './requirement.js';
import { validateIntent } from './validate-intent.js';

/**
 * Handles the endpoints of the REST style that write: parse, plan, run, render.
 *
 * The whole request is parsed before the data client is resolved. The write itself returns the rows of the response.
 */
@Injectable()
export class RestWriteService {
  constructor(
    @Inject(RECORD_CHECKS) private readonly checks: RecordChecks,
    private readonly runner: PlanRunner,
  ) {}

  /** Handles `POST /:type`, also for upserts. An upsert that updates a record responds with 200. */
  async createResource(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    const parsed = parseCreate(params, request, context);
    const { target, query } = parsed;
    const preferred = preferReturn(request, { isFree: true, hasDocument: true });
    const { intent, requirement } = requiredIntent(await validateIntent(parsed.intent(), this.checks), request, context);
    return this.write({ intent, selection: planSelection(query, context), request, context, requirement }, ({ row, isUpdate }) => {
      const applied = preferred?.value === 'minimal' && !createdAsAsked(intent, row) ? undefined : preferred;
      const answered = { query, request, context, ...versionOf(row, target.resource) };
      if (isUpdate) return applyPreference(applied, documentReply({ rows: [row] }, answered));
      const headers = { Location: rowUrl(row, target.resource, context.settings) };
      return applyPreference(applied, documentReply({ rows: [row] }, { status: 201, headers, ...answered }));
    });
  }

  /** Handles `PATCH` and `PUT /:type/:id`. */
  async updateResource(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    const parsed = parseUpdate(params, request, context);
    const { target, query } = parsed;
    const preferred = preferReturn(request, { isFree: changesAsAsked(target.resource), hasDocument: true });
    const requirement = requirementOf(request, target.resource, context);
    const intent = await validateIntent(parsed.intent(), this.checks);
    return this.write({ intent, selection: planSelection(query, context), request, context, requirement }, ({ row }) => {
      // PUT merges like PATCH, so that the stored resource may differ from the body. An `ETag` would mean that they are equal (RFC 9110, section
      // 9.3.4).
      const version = request.method === 'PUT' ? undefined : versionOf(row, target.resource);
      return applyPreference(preferred, documentReply({ rows: [row] }, { query, request, context, ...version }));
    });
  }

  /** Handles `DELETE /:type/:id`. A body of the request is ignored (DE-04). */
  async deleteResource(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    const parsed = parseDelete(params, request, context);
    const { resource } = parsed.target;
    const preferred = preferReturn(request, { isFree: true, hasDocument: false });
    const requirement = requirementOf(request, resource, context);
    const selection = keySelection(resource, context);
    return this.write({ intent: parsed.intent(), selection, request, context, requirement }, () =>
      applyPreference(preferred, { status: 204 }),
    );
  }

  /** Handles `POST /:type/:id/relationships/:relationship`. */
  addToRelationship(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    return this.changeLinkage(parseLinkageChange('add', params, request, context), request, context);
  }

  /** Handles `PATCH` and `PUT /:type/:id/relationships/:relationship`. */
  replaceRelationship(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    return this.changeLinkage(parseLinkageChange('replace', params, request, context), request, context);
  }

  /** Handles `DELETE /:type/:id/relationships/:relationship`. */
  removeFromRelationship(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    return this.changeLinkage(parseLinkageChange('remove', params, request, context), request, context);
  }

  /** Handles `PATCH` and `PUT /:type/:id/:relationship`: another URL of {@link replaceRelationship}, for to-one. */
  replaceRelated(params: PathParameters, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    return this.changeLinkage(parseRelatedChange(params, request, context), request, context);
  }

  /** Changes linkage. The response has the linkage like that of `GET`, or no body if the caller may not read it. */
  private async changeLinkage(parsed: LinkageRequest, request: ApiRequest, context: PlanContext): Promise<ApiReply> {
    const { target, query } = parsed;
    const preferred = preferReturn(request, { isFree: true, hasDocument: query !== undefined });
    const requirement = requirementOf(request, target.resource, context);
    const intent = parsed.intent();
    if (!query) {
      const selection = keySelection(target.resource, context);
      return this.write({ intent, selection, request, context, requirement }, () => applyPreference(preferred, { status: 204 }));
    }
    const { selection, pick } = planLinked(query, context);
    return this.write({ intent, selection, request, context, requirement }, ({ row }) => {
      return applyPreference(preferred, documentReply(pick(row), { query, request, context }));
    });
  }

  private async write(
    { intent, selection, request, context, requirement }: Write,
    render: (written: WriteResult) => ApiReply,
  ): Promise<ApiReply> {
    const required = await resolveRowHash(requirement, intent, context, (query) => this.runner.runQuery(query, request));
    const { plan, read } = planWrite(intent, selection, context, required?.condition);
    try {
      return await this.runner.respond(plan, request, (results) => render(read(results)));
    } catch (error) {
      if (requirement && isConditionUnmet(error))
        throw await unmet(requirement, { intent, context, cause: error }, (look) => this.runner.run(look, request));
      throw error instanceof ApiError
        ? error
        : new ExplainedError((mapped) => explainWriteError(mapped, intent, context.model.storage), error);
    }
  }
}

/** A write, its request, and the selection of its response. */
interface Write {
  readonly request: ApiRequest;
  readonly context: PlanContext;
  readonly intent: WriteIntent;
  readonly selection: Selection;
  readonly requirement?: Requirement | undefined;
}
