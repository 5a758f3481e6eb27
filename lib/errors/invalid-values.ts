import { memberOf } from './member-of.js';

/** A value of a write that ZenStack's validation attributes refuse. */
export interface InvalidValue {
  /** From the argument of the operation, e.g. `['data', 1, 'name']`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * The values that an error of ZenStack 3 is about; none unless all that it is about is values. A value of the wrong type, or one that is missing
 * or unknown, is another fault: the ORM was called wrongly.
 *
 * Its `cause` is the `ZodError` of the whole argument.
 */
export function invalidValues(error: unknown): readonly InvalidValue[] {
  const issues = memberOf(error, 'reason') === 'invalid-input' ? memberOf(memberOf(error, 'cause'), 'issues') : undefined;
  return (Array.isArray(issues) ? valuesOf(issues, []) : undefined) ?? [];
}

/** The arguments that hold what is written. */
const WRITTEN: ReadonlySet<unknown> = new Set(['data', 'create', 'update']);

/** Of `@length`, `@gt`, `@lte`, `@email`, `@regex`, `@@validate` and the like. */
const CODES: ReadonlySet<unknown> = new Set(['too_small', 'too_big', 'invalid_format', 'custom']);

type Path = InvalidValue['path'];

/** Undefined where one of the issues is about something else. */
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

/** Each branch is another form of the same argument: the one that has the right form tells of its values only. */
function valuesOfUnion(branches: readonly unknown[], path: Path): readonly InvalidValue[] | undefined {
  for (const branch of branches) {
    const values = Array.isArray(branch) && branch.length > 0 ? valuesOf(branch, path) : undefined;
    if (values) return values;
  }
  return undefined;
}
