import { memberOf } from './member-of.js';

/** A written value that a validation attribute of ZenStack refuses. */
export interface InvalidValue {
  /** Path from the argument of the operation, e.g. `['data', 1, 'name']`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Returns the invalid values of a ZenStack 3 error; none if any of its issues is about something else. Values of the wrong type, missing values and
 * unknown members count as something else, because they mean an incorrect call of the ORM.
 *
 * The `cause` of the error is the `ZodError` of the whole argument.
 */
export function invalidValues(error: unknown): readonly InvalidValue[] {
  const issues = memberOf(error, 'reason') === 'invalid-input' ? memberOf(memberOf(error, 'cause'), 'issues') : undefined;
  return (Array.isArray(issues) ? valuesOf(issues, []) : undefined) ?? [];
}

/** The arguments that contain written values. */
const WRITTEN: ReadonlySet<unknown> = new Set(['data', 'create', 'update']);

/** Zod's issue codes for `@length`, `@gt`, `@lte`, `@email`, `@regex`, `@@validate` and the like. */
const CODES: ReadonlySet<unknown> = new Set(['too_small', 'too_big', 'invalid_format', 'custom']);

type Path = InvalidValue['path'];

/** Returns the invalid values of all issues; undefined if one issue is about something else. */
function valuesOf(issues: readonly unknown[], parent: Path): readonly InvalidValue[] | undefined {
  const values: InvalidValue[] = [];
  for (const issue of issues) {
    const found = valuesOfIssue(issue, parent);
    if (!found) return undefined;
    values.push(...found);
  }
  return values;
}

function valuesOfIssue(issue: unknown, parent: Path): readonly InvalidValue[] | undefined {
  const [code, own, message, errors] = ['code', 'path', 'message', 'errors'].map((name) => memberOf(issue, name));
  if (!Array.isArray(own)) return undefined;
  const path = [...parent, ...(own as Path)];
  if (!WRITTEN.has(path[0])) return undefined;
  if (code === 'invalid_union' && Array.isArray(errors)) return valuesOfUnion(errors, path);
  return CODES.has(code) && typeof message === 'string' ? [{ path, message }] : undefined;
}

/** Returns the values of the first branch that has only invalid values. Each branch is another form of the same argument. */
function valuesOfUnion(branches: readonly unknown[], path: Path): readonly InvalidValue[] | undefined {
  for (const branch of branches) {
    const values = Array.isArray(branch) && branch.length > 0 ? valuesOf(branch, path) : undefined;
    if (values) return values;
  }
  return undefined;
}
