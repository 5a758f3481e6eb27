import type { ApiError, Problem, ProblemSource } from '../../errors/api-error.js';
import { ERROR_CATALOGUE, type ErrorRow } from '../../errors/error-catalogue.js';

/** A JSON:API error document: one member, `errors` (specification, section 7). */
export interface ErrorDocument {
  readonly errors: readonly ErrorObject[];
}

/** An error object. In strict mode, `status` is a string and `ormCode` is in `meta`. */
export interface ErrorObject {
  readonly id?: string;
  readonly code: string;
  readonly status: number | string;
  readonly title: string;
  readonly detail: string;
  /** `type`: URI of the kind of problem that a profile defines, or of the documentation of a code. */
  readonly links?: { readonly type: string };
  readonly source?: ProblemSource;
  /** Error code of the data layer, if it has thrown. */
  readonly ormCode?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * Renders an error as a JSON:API error document, with one error object for each problem.
 *
 * @param strict - whether the option `strict` is on: `status` is then a string, and all members are those of JSON:API
 * @param id - id of this occurrence, if it was logged under one
 */
export function renderErrors(error: ApiError, strict: boolean, id?: string): ErrorDocument {
  return {
    errors: error.problems.map((problem) => ({
      ...(id !== undefined && { id }),
      ...describeProblem(error, problem, strict),
      ...extras(error, problem, strict),
    })),
  };
}

function describeProblem(error: ApiError, problem: Problem, strict: boolean): ErrorObject {
  const { code, status, title } = error.http ?? { ...ERROR_CATALOGUE[problem.code], code: problem.code };
  const { type = problem.type }: ErrorRow = ERROR_CATALOGUE[problem.code];
  return {
    code,
    status: strict ? String(status) : status,
    title,
    detail: problem.detail,
    ...(type !== undefined && { links: { type } }),
    ...(problem.source && { source: problem.source }),
  };
}

function extras(error: ApiError, problem: Problem, strict: boolean): Pick<ErrorObject, 'ormCode' | 'meta'> {
  const ormCode = error.orm?.code === undefined ? undefined : { ormCode: error.orm.code };
  const meta = { ...problem.meta, ...(error.reason !== undefined && { reason: error.reason }), ...(strict && ormCode) };
  return { ...(!strict && ormCode), ...(Object.keys(meta).length > 0 && { meta }) };
}
