import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { writtenReply } from '../http/written-reply.js';
import { cursorMediaType } from './protocol/media-type.js';
import type { ResourceQuery } from './parse/resource-query.js';
import type { RestContext } from './parse/rest-context.js';
import type { RowPage } from './projection/page.js';
import { renderDocument } from './render/render-document.js';

/** The request that a document responds to, and the status, headers and version of the reply. */
export interface Answered extends Pick<ApiReply, 'headers' | 'version'>, Partial<Pick<ApiReply, 'status'>> {
  readonly query: ResourceQuery;
  readonly request: Pick<ApiRequest, 'headers'>;
  readonly context: RestContext;
}

/** Renders a document as a reply. With cursor pagination, the `Content-Type` names the profile (CP-13). */
export function documentReply(page: RowPage, { query, request, context, status = 200, headers, version }: Answered): ApiReply {
  const head = { status, ...(version !== undefined && { version }) };
  if (!query.hasCursors) return writtenReply(headers ? { headers, ...head } : head, renderDocument(query, page, context));
  const mediaType = cursorMediaType(request.headers['accept']);
  return writtenReply(
    { headers: { ...headers, 'Content-Type': mediaType }, ...head },
    renderDocument(query, { mediaType, ...page }, context),
  );
}
