import { driverErrorOf } from './driver-error.js';
import { memberOf } from './member-of.js';

/**
 * Returns PostgreSQL's message if a role lacks a `GRANT` (`permission denied for table Tag`); undefined otherwise. A policy that refuses a row has
 * the same SQLSTATE 42501, but a missing grant is a configuration error.
 */
export function missingGrant(error: unknown): string | undefined {
  for (let thrown = error, depth = 0; thrown !== undefined && depth < MAX_DEPTH; thrown = memberOf(thrown, 'cause'), depth++) {
    const message = memberOf(driverErrorOf(thrown), 'originalMessage') ?? memberOf(thrown, 'message');
    if (typeof message === 'string' && /^permission denied for (?:table|view|sequence|schema|function|column|relation) /.test(message))
      return message;
  }
  return undefined;
}

/** Maximum depth of causes, because an error may be its own cause. */
const MAX_DEPTH = 5;
