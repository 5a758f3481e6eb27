/** A condition of SQL. */
export interface Condition {
  readonly sql: string;
  /** Whether the condition is empty. A group ignores empty conditions, and is empty if all of its conditions are. */
  readonly isEmpty?: true;
}

export const TRUE = 'TRUE';
export const FALSE = 'FALSE';

export const EMPTY: Condition = { sql: TRUE, isEmpty: true };

/** The conjunction of conditions (`AND`). */
export function allOf(conditions: readonly Condition[]): Condition {
  const isEmpty = conditions.every((condition) => condition.isEmpty);
  const sql = joined(
    conditions.map((condition) => condition.sql).filter((one) => one !== TRUE),
    'AND',
  );
  return isEmpty ? { sql, isEmpty } : { sql };
}

/** The disjunction of conditions (`OR`). Without any condition it is false, and not empty. */
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

/** The negation of conditions (`NOT`). */
export function noneOf(conditions: readonly Condition[]): Condition {
  return allOf(conditions.filter((condition) => !condition.isEmpty).map(({ sql }) => ({ sql: `(NOT ${sql})` })));
}

/** Several conditions are put in parentheses. */
export function joined(conditions: readonly string[], operator: 'AND' | 'OR'): string {
  const [first = TRUE, ...others] = conditions;
  return others.length === 0 ? first : `(${conditions.join(` ${operator} `)})`;
}
