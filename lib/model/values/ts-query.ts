/**
 * Whether PostgreSQL's `to_tsquery` accepts a text. With an invalid text the statement fails; in a prepared statement, only when a row is
 * evaluated.
 * Because such an error would reveal that rows exist which the caller may not read, the text is checked before the query.
 *
 * Some valid texts are rejected: those with spaces of certain locales, and queries that are extremely long or deeply nested.
 */
export function isTsQuery(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const tokens = text.match(TOKENS) ?? [];
  if (tokens.join('') !== text) return false;
  const given = tokens.filter((token) => !SPACES.test(token));
  return given.length === 0 || isExpression(given);
}

const MAX_LENGTH = 10_000;

const SPACES = /^[ \t\n\v\f\r]+$/;

/** A character without a special meaning, or any character after a backslash. */
const PLAIN = String.raw`(?:[^\s\p{Z}\p{Cc}\\!&|()<:]|\\[^\0])`;
const QUOTED = String.raw`'(?:[^'\\\0]|''|\\[^\0])+'`;
/** Weights, and `*` for a prefix. */
const MODIFIERS = '(?::[a-dA-D*]*)?';
const TOKENS = new RegExp(`[ \\t\\n\\v\\f\\r]+|[!&|()]|<->|<\\d{1,5}>|(?:${QUOTED}|(?!')${PLAIN}+)${MODIFIERS}`, 'gu');

/** Whether tokens are operands with one operator between each two; operands may be negated and in parentheses. */
function isExpression(tokens: readonly string[]): boolean {
  if (tokens.some(isTooFar)) return false;
  const shape = tokens
    .map((token) => (token === '(' || token === ')' || token === '!' ? token : OPERATOR.test(token) ? '&' : 'a'))
    .join('');
  return !MISPLACED.test(shape) && !TOO_NEGATIVE.test(shape) && isBalanced(shape);
}

const OPERATOR = /^(?:[&|]|<-|<\d)/;
/** An operand or its start in the place of an operator, or the other way round. */
const MISPLACED = /^[&)]|[&(!][&)]|[a)][a(!]|[&(!]$/;
/** Too many consecutive negations: the stack of PostgreSQL's parser has 32 operators. */
const TOO_NEGATIVE = /!{21}/;
const MAX_DEPTH = 50;

function isBalanced(shape: string): boolean {
  let depth = 0;
  for (const token of shape) {
    depth += token === '(' ? 1 : token === ')' ? -1 : 0;
    if (depth < 0 || depth > MAX_DEPTH) return false;
  }
  return depth === 0;
}

/** Whether a token `<N>` has a distance above the maximum. */
function isTooFar(token: string): boolean {
  return /^<\d/.test(token) && Number(token.slice(1, -1)) > 16_384;
}
