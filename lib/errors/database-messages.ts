import { driverErrorOf } from './driver-error.js';
import { memberOf } from './member-of.js';

/** Returns the messages of an error and its causes. Where Prisma wraps an error of the driver, the message is that of the database. */
export function databaseMessages(error: unknown): readonly string[] {
  const messages: unknown[] = [];
  for (let thrown = error, depth = 0; thrown !== undefined && depth < MAX_DEPTH; thrown = memberOf(thrown, 'cause'), depth++) {
    messages.push(memberOf(driverErrorOf(thrown), 'originalMessage') ?? memberOf(thrown, 'message'));
  }
  return messages.filter((message) => typeof message === 'string');
}

/** Maximum depth of causes, because an error may be its own cause. */
const MAX_DEPTH = 5;
