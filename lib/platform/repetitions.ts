import type { ApiReply } from './api-request.js';
import type { Exchange } from './exchange.js';

/** Answers requests of which one may be another one, sent again. */
export interface Repetitions {
  /**
   * @param operate answers the request itself; it may be called again where nothing was written
   * @throws what that throws, and refusals
   */
  answer(exchange: Exchange, operate: () => Promise<ApiReply>): Promise<ApiReply>;
}
