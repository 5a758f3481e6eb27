import { type Components, SHARED } from '../components.js';
import type { Reference } from '../open-api.js';

/** The answer that `Prefer: return=minimal` asks for, where JSON:API leaves the choice. */
export function asAsked(components: Components): Readonly<Record<string, Reference>> {
  const description = 'It is as the request says: it prefers `return=minimal`.';
  return { 204: components.response('AsAsked', SHARED, () => ({ description })) };
}
