import type { ApiRequest } from '../http/api-request.js';
import { checkContentType } from './protocol/media-type.js';
import { parseDocument } from './parse/parse-document.js';
import { parseLinkageDocument } from './parse/parse-linkage.js';
import { checkNoQuery, parseAnswerQuery, parseQuery } from './parse/parse-query.js';
import { parseCollectionTarget, parseLinkageTarget, parseRelatedLinkageTarget, parseResourceTarget } from './parse/parse-target.js';
import type { CollectionTarget, PathParameters, RelationshipTarget, ResourceTarget } from './parse/target.js';
import type { ResourceQuery, SingleQuery } from './parse/resource-query.js';
import type { DeleteIntent, Linkage, LinkageIntent, ResourceIntent, WriteIntent } from './parse/write-intent.js';
import type { PlanContext } from './plan/plan-context.js';

/** A parsed write, apart from its body. */
export interface WriteRequest<Intent extends WriteIntent> {
  /** Parses the body. Called last, so that errors in the rest of the request take precedence. */
  readonly intent: () => Intent;
}

/** A write whose body is a resource document. */
export interface DocumentRequest<Target> extends WriteRequest<ResourceIntent> {
  readonly target: Target;
  /** The query of the response. */
  readonly query: SingleQuery;
}

/** Parses `POST /:type`, also for upserts. */
export function parseCreate(params: PathParameters, request: ApiRequest, context: PlanContext): DocumentRequest<CollectionTarget> {
  return ofDocument(parseCollectionTarget('create', params, context), request, context);
}

/** Parses `PATCH` and `PUT /:type/:id`. */
export function parseUpdate(params: PathParameters, request: ApiRequest, context: PlanContext): DocumentRequest<ResourceTarget> {
  return ofDocument(parseResourceTarget('update', params, context), request, context);
}

/** Parses `DELETE /:type/:id`. A body of the request is ignored (DE-04). */
export function parseDelete(
  params: PathParameters,
  request: ApiRequest,
  context: PlanContext,
): WriteRequest<DeleteIntent> & { readonly target: ResourceTarget } {
  const target = parseResourceTarget('delete', params, context);
  checkNoQuery(request.search, context);
  return { target, intent: () => ({ kind: 'delete', resource: target.resource, id: target.id }) };
}

/** A change of linkage. */
export interface LinkageRequest extends WriteRequest<LinkageIntent> {
  readonly target: RelationshipTarget;
  /** The query of the response; undefined if the caller may not read the linkage. */
  readonly query: ResourceQuery<RelationshipTarget> | undefined;
}

/** Parses `POST`, `PATCH`, `PUT` and `DELETE /:type/:id/relationships/:relationship`. */
export function parseLinkageChange(
  kind: LinkageIntent['kind'],
  params: PathParameters,
  request: ApiRequest,
  context: PlanContext,
): LinkageRequest {
  return ofLinkage(kind, parseLinkageTarget(kind, params, context), request, context);
}

/** Parses `PATCH` and `PUT /:type/:id/:relationship`: another URL of a replacement, for to-one. */
export function parseRelatedChange(params: PathParameters, request: ApiRequest, context: PlanContext): LinkageRequest {
  return ofLinkage('replace', parseRelatedLinkageTarget(params, context), request, context);
}

function ofDocument<Target extends CollectionTarget | ResourceTarget>(
  target: Target,
  request: ApiRequest,
  context: PlanContext,
): DocumentRequest<Target> {
  const query = parseAnswerQuery(target.resource, request.search, context);
  return { target, query, intent: () => parseDocument(target, readBody(request, context), context) };
}

function ofLinkage(kind: LinkageIntent['kind'], target: RelationshipTarget, request: ApiRequest, context: PlanContext): LinkageRequest {
  const isShown = target.resource.actions.has('read') && target.relationship.rights.read;
  const query = isShown ? parseQuery(target, request.search, context) : undefined;
  if (!query) checkNoQuery(request.search, context);
  const linkage = (): Linkage => parseLinkageDocument(target, readBody(request, context), context);
  return { target, query, intent: () => ({ kind, target, linkage: linkage() }) };
}

function readBody(request: ApiRequest, { settings }: PlanContext): unknown {
  if (request.hasBody) checkContentType(request.headers['content-type'], settings.strict);
  return request.json();
}
