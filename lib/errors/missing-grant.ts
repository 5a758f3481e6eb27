import { driverErrorOf } from './driver-error.js';
import { memberOf } from './member-of.js';

/**
 * What PostgreSQL says where a role lacks a `GRANT` (`permission denied for table Tag`), rather than a policy refusing a row: both are 42501,
 * and only the host can help the first. Undefined for anything else.
 */
export function missingGrant(error: unknown): string | undefined {
  for (let thrown = error, depth = 0; thrown !== undefined && depth < MAX_DEPTH; thrown = memberOf(thrown, 'cause'), depth++) {
    const message = memberOf(driverErrorOf(thrown), 'originalMessage') ?? memberOf(thrown, 'message');
    if (typeof message === 'string' && /^permission denied for (?:table|view|sequence|schema|function|column|relation) /.test(message))
      return message;
  }
  return undefined;
}

/** An error may be its own cause. */
const MAX_DEPTH = 5;
