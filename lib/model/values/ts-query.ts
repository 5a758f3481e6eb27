/**
 * Whether PostgreSQL's `to_tsquery` takes a text. What it does not take fails the statement, and with a prepared one only once a row is looked
 * at: an error would tell of rows that the caller may not read. So it is said here first, whatever the rows.
 *
 * Rather too little than too much: spaces that only some locales know, and queries that nest deeper or are longer than any that people write.
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

/** Characters of a word that mean nothing else, or anything after a backslash. */
const PLAIN = String.raw`(?:[^\s\p{Z}\p{Cc}\\!&|()<:]|\\[^\0])`;
const QUOTED = String.raw`'(?:[^'\\\0]|''|\\[^\0])+'`;
/** Weights, and `*` for a prefix. */
const MODIFIERS = '(?::[a-dA-D*]*)?';
const TOKENS = new RegExp(`[ \\t\\n\\v\\f\\r]+|[!&|()]|<->|<\\d{1,5}>|(?:${QUOTED}|(?!')${PLAIN}+)${MODIFIERS}`, 'gu');

/** Operands with an operator between each two, negated and in parentheses or not. */
function isExpression(tokens: readonly string[]): boolean {
  if (tokens.some(isTooFar)) return false;
  const shape = tokens
    .map((token) => (token === '(' || token === ')' || token === '!' ? token : OPERATOR.test(token) ? '&' : 'a'))
    .join('');
  return !MISPLACED.test(shape) && !TOO_NEGATIVE.test(shape) && isBalanced(shape);
}

const OPERATOR = /^(?:[&|]|<-|<\d)/;
/** An operand or its beginning where an operator is due, or the other way round. */
const MISPLACED = /^[&)]|[&(!][&)]|[a)][a(!]|[&(!]$/;
/** The parser of PostgreSQL has room for 32 operators. */
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

/** `<N>`: so many words further. */
function isTooFar(token: string): boolean {
  return /^<\d/.test(token) && Number(token.slice(1, -1)) > 16_384;
}
