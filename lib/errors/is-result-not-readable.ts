import { memberOf } from './member-of.js';

/** Whether the data layer has written, but an access policy hides the result. ZenStack 2 and 3 use different names for it. */
export function isResultNotReadable(error: unknown): boolean {
  return (
    memberOf(memberOf(error, 'meta'), 'reason') === 'RESULT_NOT_READABLE' ||
    memberOf(error, 'rejectedByPolicyReason') === 'cannot-read-back'
  );
}
