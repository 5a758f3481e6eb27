import { memberOf } from './member-of.js';

/** Whether the data layer has written, and an access policy hides the result: ZenStack 2 and 3 name it differently. */
export function isResultNotReadable(error: unknown): boolean {
  return (
    memberOf(memberOf(error, 'meta'), 'reason') === 'RESULT_NOT_READABLE' ||
    memberOf(error, 'rejectedByPolicyReason') === 'cannot-read-back'
  );
}
