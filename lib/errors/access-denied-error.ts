import { ApiError, type ApiErrorOptions } from './api-error.js';
import { shareInstances } from './share-instances.js';

/**
 * Error that the application throws to refuse a request: 403 in both styles, with `rejectedByPolicy: true` in RPC.
 *
 * @example
 * if (!user.isAdmin) throw new AccessDeniedError('Only administrators may delete users.');
 */
export class AccessDeniedError extends ApiError {
  static {
    shareInstances(this, 'AccessDeniedError');
  }

  constructor(detail = 'You are not allowed to do this.', options: Omit<ApiErrorOptions, 'rejectedByPolicy' | 'http'> = {}) {
    super('forbidden', detail, { ...options, rejectedByPolicy: true });
  }
}
