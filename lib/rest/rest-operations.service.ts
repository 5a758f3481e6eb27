import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { changeError } from '../errors/change-error.js';
import { ExplainedError } from '../errors/explained-error.js';
import { isConditionUnmet } from '../errors/is-condition-unmet.js';
import { toApiError } from '../errors/to-api-error.js';
import { PlanRunner } from '../run/plan-runner.service.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { requireNoPreconditions } from '../http/preconditions.js';
import type { Preferred } from '../http/preferences.js';
import { writtenReply } from '../http/written-reply.js';
import type { Row } from '../query/result.js';
import { RECORD_CHECKS } from '../options/tokens.js';
import type { RecordChecks } from '../validation/record-check.js';
import { explainWriteError } from './explain-write-error.js';
import { checkContentType, WITH_OPERATIONS } from './protocol/media-type.js';
import { atOperation, eachOperation, OPERATIONS_POINTER } from './parse/operations/at-operation.js';
import { LocalIds } from './parse/operations/local-ids.js';
import { type ParsedOperation, parseOperation } from './parse/operations/parse-operation.js';
import type { RequestedOperations } from './parse/operations/read-operations.js';
import { parseResultQuery } from './parse/parse-query.js';
import type { SingleQuery } from './parse/resource-query.js';
import { changesAsAsked, resourceOf, type WriteIntent } from './parse/write-intent.js';
import type { PlanContext } from './plan/plan-context.js';
import { type PlannedOperations, planOperations } from './plan/plan-operations.js';
import { keySelection, planSelection } from './plan/plan-read.js';
import type { WriteResult } from './plan/plan-write.js';
import { applyPreference, createdAsAsked, preferReturn, type ReturnMode } from './prefer-return.js';
import { type OperationResult, writeOperations } from './render/write-document.js';
import { resolveRowHash, operationRequirement, type Requirement, unmet } from './requirement.js';
import { validateIntent } from './validate-intent.js';

/** The number of retries after a write conflict with another transaction. */
const RETRIES = 2;

/** Handles requests of the Atomic Operations extension: parse, plan, run, render. All operations run in one transaction. */
@Injectable()
export class RestOperationsService {
  constructor(
    @Inject(RECORD_CHECKS) private readonly checks: RecordChecks,
    private readonly runner: PlanRunner,
  ) {}

  /** @param requested the operations as guards have received them */
  async execute(request: ApiRequest, requested: RequestedOperations, context: PlanContext): Promise<ApiReply> {
    const { settings } = context;
    if (request.hasBody) checkContentType(request.headers['content-type'], settings.strict, WITH_OPERATIONS);
    if (requested.fault) throw requested.fault;
    requireNoPreconditions(request, 'A request of several writes has none: give each operation its meta.ifMatch.');
    const preferred = preferReturn(request, { isFree: true, hasDocument: true });
    const queryOf = parseResultQuery(request.search, context);
    const operations = await this.parse(requested, context);
    const queries = operations.map(({ shown }) => shown && queryOf(shown));
    const planned = await this.plan({ operations, queries, context }, request);
    return this.run(planned, request, { operations, queries, context, preferred });
  }

  private parse({ entries }: RequestedOperations, given: PlanContext): Promise<readonly RequiredOperation[]> {
    const localIds = new LocalIds();
    const context = { ...given, localIds };
    return eachOperation(entries, async (entry) => {
      if (entry instanceof ApiError) throw entry;
      const { intent, ...parsed } = parseOperation(entry, context);
      const requirement = operationRequirement(entry.document, intent, context);
      return { ...parsed, requirement, intent: 'content' in intent ? await validateIntent(intent, this.checks) : intent };
    });
  }

  private async plan({ operations, queries, context }: Omit<ParsedRequest, 'preferred'>, request: ApiRequest): Promise<PlannedOperations> {
    const writes = await eachOperation(operations, async ({ intent, returns, requirement }, index) => {
      const required = await resolveRowHash(requirement, intent, context, (look) => this.runner.runQuery(look, request));
      const query = queries[index];
      const selection = query ? planSelection(query, context) : keySelection(resourceOf(intent), context);
      return { intent, selection, requires: required?.condition, ...(returns && { returns }) };
    });
    return planOperations(writes, context);
  }

  private async run({ plan, read, operationOf }: PlannedOperations, request: ApiRequest, requested: ParsedRequest): Promise<ApiReply> {
    const { operations, context } = requested;
    const { timeout } = context.settings.operations ?? {};
    const rules = { retries: RETRIES, ...(timeout !== undefined && { maxDuration: timeout }) };
    try {
      return await this.runner.respond(plan, request, (results) => this.render(read(results), requested), rules);
    } catch (error) {
      const place = (mapped: ApiError): ApiError => placed(mapped, (callIndex) => operationOf(callIndex));
      const { callIndex } = toApiError(error);
      const failed = callIndex === undefined ? undefined : operations[operationOf(callIndex)];
      if (callIndex !== undefined && failed?.requirement && isConditionUnmet(error)) {
        const refusal = await unmet(failed.requirement, { intent: failed.intent, context, cause: error }, (look) =>
          this.runner.run(look, request),
        );
        throw place(changeError(refusal, { callIndex }));
      }
      if (error instanceof ApiError) throw place(error);
      throw new ExplainedError((mapped) => {
        const intent = mapped.callIndex === undefined ? undefined : operations[operationOf(mapped.callIndex)]?.intent;
        const explained = intent ? explainWriteError(mapped, intent, context.model.storage) : mapped;
        return place(mapped.callIndex === undefined ? explained : changeError(explained, { callIndex: mapped.callIndex }));
      }, error);
    }
  }

  private render(written: readonly WriteResult[], { operations, queries, context, preferred }: ParsedRequest): ApiReply {
    const isShort = operations.map(({ intent }, index) => {
      const row = written[index]?.row;
      return preferred?.value === 'minimal' && row !== undefined && isAsAsked(intent, row);
    });
    const shown = queries.map((query, index) => (isShort[index] ? undefined : query));
    const applied = preferred?.value === 'minimal' && !isShort.includes(true) ? undefined : preferred;
    if (shown.every((query) => query === undefined)) return applyPreference(applied, { status: 204 });
    const results = written.map(({ row }, index): OperationResult => ({ row, query: shown[index] }));
    const reply = writtenReply({ status: 200 }, (maxBytes) => writeOperations(results, context.settings, maxBytes));
    return applied ? Object.assign(reply, { headers: { ...reply.headers, ...applied.headers } }) : reply;
  }
}

/** A parsed operation, and its precondition. */
interface RequiredOperation extends ParsedOperation {
  readonly requirement: Requirement | undefined;
}

interface ParsedRequest {
  readonly context: PlanContext;
  readonly operations: readonly RequiredOperation[];
  readonly preferred: Preferred<ReturnMode> | undefined;
  /** The query that renders the result of each operation; undefined for an operation without a result. */
  readonly queries: readonly (SingleQuery | undefined)[];
}

/** Whether JSON:API allows an empty result for a written resource, because it was stored as the client sent it (AO-11, AO-12, AO-36). */
function isAsAsked(intent: WriteIntent, row: Row): boolean {
  return intent.kind === 'update' ? changesAsAsked(intent.resource) : intent.kind === 'create' && createdAsAsked(intent, row);
}

/** Adds the place to an error: one operation if a statement failed, all operations if COMMIT failed (AO-34, AO-39). */
function placed(error: ApiError, operationOf: (callIndex: number) => number): ApiError {
  if (error.callIndex !== undefined) return error.status < 500 ? atOperation(error, operationOf(error.callIndex)) : error;
  const isCommit = error.orm !== undefined && error.status < 500 && error.problems[0].source === undefined;
  return isCommit ? changeError(error, { source: { pointer: OPERATIONS_POINTER } }) : error;
}
