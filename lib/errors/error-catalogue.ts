const IDEMPOTENCY = 'https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header#section';

/**
 * All errors that this package returns: one code, one status, one title. Both styles, the OpenAPI document and the docs
 * read this table. Statuses are defined nowhere else.
 */
export const ERROR_CATALOGUE = {
  'unsupported-model': { status: 404, title: 'Unknown resource type' },
  'unsupported-relationship': { status: 404, title: 'Unknown relationship' },
  'not-found': { status: 404, title: 'Resource not found' },
  'invalid-path': { status: 404, title: 'Unknown path' },
  'invalid-verb': { status: 405, title: 'Method not allowed' },
  // For refusals by the application or the platform, which may have any reason.
  'bad-request': { status: 400, title: 'Bad request' },
  'invalid-id': { status: 400, title: 'Invalid resource id' },
  'invalid-payload': { status: 400, title: 'Invalid request body' },
  'invalid-relation-data': { status: 400, title: 'Invalid relationship data' },
  'invalid-value': { status: 400, title: 'Invalid value' },
  'invalid-filter': { status: 400, title: 'Invalid filter' },
  'invalid-sort': { status: 400, title: 'Invalid sort' },
  'invalid-include': { status: 400, title: 'Invalid include' },
  'invalid-fields': { status: 400, title: 'Invalid sparse fieldset' },
  'invalid-page': { status: 400, title: 'Invalid page' },
  'unsupported-parameter': { status: 400, title: 'Unsupported query parameter' },
  'unsupported-header': { status: 400, title: 'Unsupported request header' },
  'limit-exceeded': { status: 400, title: 'Limit exceeded' },
  'type-conflict': { status: 409, title: 'Resource type conflict' },
  'id-conflict': { status: 409, title: 'Resource id conflict' },
  'unique-conflict': { status: 409, title: 'Unique constraint violated' },
  'reference-conflict': { status: 409, title: 'Reference constraint violated' },
  'client-id-forbidden': { status: 403, title: 'Client-generated id not allowed' },
  'forbidden': { status: 403, title: 'Forbidden' },
  'precondition-failed': { status: 412, title: 'Precondition failed' },
  'precondition-required': { status: 428, title: 'Precondition required' },
  'validation-error': { status: 422, title: 'Validation failed' },
  // These errors follow an internet draft, not a standard. Their statuses are defined here only.
  'idempotency-key-required': { status: 400, title: 'Idempotency key required', type: `${IDEMPOTENCY}-2.7` },
  'idempotency-key-reused': { status: 422, title: 'Idempotency key used for another request', type: `${IDEMPOTENCY}-2.7` },
  'idempotency-in-progress': {
    status: 409,
    title: 'The first request with this idempotency key is still running',
    type: `${IDEMPOTENCY}-2.7`,
  },
  'payload-too-large': { status: 413, title: 'Payload too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'not-acceptable': { status: 406, title: 'Not acceptable' },
  'query-error': { status: 400, title: 'Data layer refused the query' },
  // Never 503, because a client that retries could write twice.
  'outcome-unknown': { status: 500, title: 'Outcome of the write unknown' },
  'unavailable': { status: 503, title: 'Service unavailable' },
  'unknown-error': { status: 500, title: 'Unexpected error' },
} as const satisfies Readonly<Record<string, ErrorRow>>;

/** The constant parts of an error. */
export interface ErrorRow {
  readonly status: number;
  /** Title of the code. It does not change from occurrence to occurrence (JSON:API: `title` should not). */
  readonly title: string;
  /** URL of the explanation (`links.type` of an error object). */
  readonly type?: string;
}

/** A code of {@link ERROR_CATALOGUE}. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;
