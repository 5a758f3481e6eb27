/** A condition of the data client. */
export type Where = Readonly<Record<string, unknown>>;

/** Rows that meet any of the conditions. */
export function anyOf(conditions: readonly Where[]): Where {
  const [only, ...others] = conditions;
  return only !== undefined && others.length === 0 ? only : { OR: conditions };
}

/** Rows that do not meet the condition. */
export function not(condition: Where): Where {
  return { NOT: condition };
}
