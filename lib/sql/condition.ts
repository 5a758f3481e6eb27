/** A condition of SQL. */
export interface Condition {
  readonly sql: string;
  /** Whether nothing was said: a group leaves such a part out, and is empty itself where nothing else is in it. */
  readonly isEmpty?: true;
}

export const TRUE = 'TRUE';
export const FALSE = 'FALSE';

export const EMPTY: Condition = { sql: TRUE, isEmpty: true };

/** All of these, as one condition. */
export function allOf(conditions: readonly Condition[]): Condition {
  const isEmpty = conditions.every((condition) => condition.isEmpty);
  const sql = joined(
    conditions.map((condition) => condition.sql).filter((one) => one !== TRUE),
    'AND',
  );
  return isEmpty ? { sql, isEmpty } : { sql };
}

/** Any of these; without one it is false, though nothing was said. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const said = conditions.filter((condition) => !condition.isEmpty);
  return said.length === 0
    ? { sql: FALSE, isEmpty: true }
    : {
        sql: joined(
          said.map(({ sql }) => sql),
          'OR',
        ),
      };
}

/** None of these. */
export function noneOf(conditions: readonly Condition[]): Condition {
  return allOf(conditions.filter((condition) => !condition.isEmpty).map(({ sql }) => ({ sql: `(NOT ${sql})` })));
}

/** In parentheses where there are several. */
export function joined(conditions: readonly string[], operator: 'AND' | 'OR'): string {
  const [first = TRUE, ...others] = conditions;
  return others.length === 0 ? first : `(${conditions.join(` ${operator} `)})`;
}
