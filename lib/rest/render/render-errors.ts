import type { ApiError, Problem, ProblemSource } from '../../errors/api-error.js';
import { ERROR_CATALOGUE, type ErrorRow } from '../../errors/error-catalogue.js';

/** The document of an error: one member, `errors` (specification, section 7). */
export interface ErrorDocument {
  readonly errors: readonly ErrorObject[];
}

/** One problem. `status` is a string and `ormCode` moves into `meta` in strict mode (decisions D2 and D5). */
export interface ErrorObject {
  readonly id?: string;
  readonly code: string;
  readonly status: number | string;
  readonly title: string;
  readonly detail: string;
  /** `type`: the kind of problem, as a profile names it, or where a code is explained. */
  readonly links?: { readonly type: string };
  readonly source?: ProblemSource;
  /** Code of the data layer, when it threw. */
  readonly ormCode?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * Renders an error as a JSON:API error document, one error object per problem.
 *
 * @param strict - JSON:API to the letter: `status` as a string, no member beyond JSON:API's
 * @param id - names this occurrence, when it was written to the log under that id
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
