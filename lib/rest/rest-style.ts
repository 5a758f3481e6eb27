import type { Style } from '../platform/style.js';
import { JSON_API_MEDIA_TYPE } from './media-type.js';
import { renderErrors } from './render/render-errors.js';
import { REST_ENDPOINTS, type RestEndpointKind, restOperation } from './rest-endpoints.js';
import { RestService } from './rest.service.js';

/** The REST style (JSON:API 1.1) as the platform mounts it. */
export const REST_STYLE: Style = {
  name: 'rest',
  mediaType: JSON_API_MEDIA_TYPE,
  // CN-13, and that an answer is its caller's.
  vary: 'Accept, Authorization, Cookie',
  endpoints: Object.entries(REST_ENDPOINTS).map(([name, { path }]) => ({ name, path, guarded: 'request' })),
  pathHint: 'Paths begin with a resource type, e.g. /post or /post/1/author.',
  words: new Set(),
  names: (segment, model) => model.byType.has(segment),
  read: ({ endpoint, params, request }, { model }) => {
    const { type = '', relationship } = params;
    const found = restOperation(endpoint.name as RestEndpointKind, request.method);
    return {
      operation: {
        style: 'rest',
        model: model.byType.get(type.toLowerCase())?.model,
        operation: found?.operation,
        action: found?.action,
        actions: found ? [found.action] : [],
        ...(relationship !== undefined && { relationship }),
      },
    };
  },
  renderError: (error, { strict, id }) => ({ status: error.status, headers: error.headers, body: renderErrors(error, strict, id) }),
  service: RestService,
};
