import { Injectable } from '@nestjs/common';
import { ActionRunner } from '../actions/action-runner.service.js';
import type { ActionMethod } from '../actions/action.js';
import type { Problem } from '../errors/api-error.js';
import { storedModel } from '../model/storage/stored-model.js';
import type { OwnAction } from '../model/surface/surface.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { uniqueCondition } from '../query/key.js';
import { isObject } from '../utils/is-object.js';
import type { Fault } from '../validation/record-check.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { documentReply } from './document-reply.js';
import { checkContentType, JSON_API_MEDIA_TYPE } from './protocol/media-type.js';
import { bodyError, memberPointer } from './parse/body-error.js';
import { parseAnswerQuery } from './parse/parse-query.js';
import { parseCollectionTarget, parseResourceTarget } from './parse/parse-target.js';
import type { PathParameters } from './parse/target.js';
import type { PlanContext } from './plan/plan-context.js';
import { planSelection } from './plan/plan-read.js';
import { limitIncluded } from './plan/require-affordable.js';
import { restActionRequirement } from './requirement.js';
import type { NamedAction } from './protocol/rest-endpoints.js';

/** Handles the actions of the application: `POST /:type/:action` and `POST /:type/:id/:action`. */
@Injectable()
export class RestActionService {
  constructor(private readonly actions: ActionRunner) {}

  async run(named: NamedAction, { params, request, context }: AskedAction): Promise<ApiReply> {
    const { resource } = named;
    const { name, on, right } = named.action;
    const action = this.actions.find(resource.model, name);
    if (!action) throw new TypeError(`The model names an action '${name}' that nothing runs.`);
    const model = storedModel(context.model.storage, resource.model);
    const where = parseRecordId({ on, right }, params, context);
    const query = parseAnswerQuery(resource, request.search, context);
    const selection = planSelection(query, context);
    const requirement = restActionRequirement(request, named, context);
    const body = await this.readBody(action, request, context);
    return this.actions.run(
      { action, request, requirement, body, ...(where && { where: uniqueCondition(model, resource.identifier, where) }) },
      {
        plan: (written) => {
          const read = { kind: 'find-unique', model, where: written, selection, isRequired: false } as const;
          return { kind: 'call', call: limitIncluded({ query: read }, context.limits) };
        },
        row: (row) => (isObject(row) ? documentReply({ rows: [row] }, { query, request, context }) : NOTHING),
        data: (value) => ((value ?? null) === null ? NOTHING : { status: 200, body: metaDocument(value) }),
      },
    );
  }

  private readBody(action: ActionMethod, request: ApiRequest, context: PlanContext): Promise<unknown> {
    const { value, at } = request.hasBody ? this.bodyOf(request, context) : { value: undefined, at: '' };
    return this.actions.check(action, value, (fault) => toProblem(fault, at));
  }

  /** Returns the JSON body itself, or `meta` of a JSON:API document, and its pointer. */
  private bodyOf(request: ApiRequest, context: PlanContext): { readonly value: unknown; readonly at: string } {
    const type = request.headers['content-type'];
    checkContentType(type, context.settings.strict);
    const value = request.json();
    if (!String(type).toLowerCase().includes(JSON_API_MEDIA_TYPE)) return { value, at: '' };
    const isMeta = isPlainObject(value) && Object.keys(value).every((name) => name === 'meta' || name === 'jsonapi');
    if (!isMeta) throw bodyError('invalid-payload', '', "The document of an action has the member 'meta' alone.");
    return { value: value['meta'], at: '/meta' };
  }
}

/** The request of an action, and the context of its caller. */
interface AskedAction {
  readonly params: PathParameters;
  readonly request: ApiRequest;
  readonly context: PlanContext;
}

/** Parses the id of the record of an action; returns undefined for an action on the collection. */
function parseRecordId(
  { on, right }: Pick<OwnAction, 'on' | 'right'>,
  params: PathParameters,
  context: PlanContext,
): Readonly<Record<string, unknown>> | undefined {
  if (on === 'record') return parseResourceTarget(right, params, context).id.values;
  parseCollectionTarget(right, params, context);
  return undefined;
}

const NOTHING: ApiReply = { status: 204 };

function toProblem({ path, message }: Fault, at: string): Problem {
  return { code: 'validation-error', detail: message, source: { pointer: path.reduce<string>(memberPointer, at) } };
}

/** Renders a value as a document with `meta`. JSON:API requires an object, so that any other value becomes `meta.result`. */
function metaDocument(value: unknown): object {
  return { jsonapi: { version: '1.1' }, meta: isPlainObject(value) ? value : { result: value } };
}
