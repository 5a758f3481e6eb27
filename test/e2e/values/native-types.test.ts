import { appsOnSchema } from '../../support/apps-on-schema.js';
import { ALL_OPERATORS, COLUMNS, MODELS, ROWS } from './native-columns.js';
import { PRISMA_OPERATORS } from '../../../lib/model/surface/prisma-operators.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';

const ID = { id: true };

interface Answer {
  readonly request: string;
  readonly status: number;
  readonly body: { readonly errors?: readonly Problem[]; readonly error?: Problem };
}

interface Problem {
  readonly code: string;
  readonly detail?: string;
  readonly message?: string;
  readonly source?: { readonly parameter?: string };
}

onPlatforms('queries of every native type of PostgreSQL', (platform) => {
  const apps = appsOnSchema(platform, { name: 'native_types', models: MODELS, sql: ROWS }, [{ limits: { maxFilterTerms: 10_000 } }]);

  const rest = async ({ agent }: TestApp, name: string, value: string): Promise<Answer> => {
    const request = `GET ${name}=${value}`;
    const { status, body } = await agent.get(`/api/rest/every?fields[every]=id&${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    return { request, status, body };
  };
  const rpc = async ({ agent }: TestApp, operation: string, args: object): Promise<Answer> => {
    const { status, body } = await agent.get(`/api/rpc/every/${operation}?q=${encodeURIComponent(JSON.stringify(args))}`);
    return { request: `${operation} ${JSON.stringify(args)}`, status, body };
  };

  it.each(sample.oneIn(10, COLUMNS).map((column) => [column.type, column]))(
    '%s: REST succeeds, or points at the invalid parameter',
    async (_, column) => {
      const { name, value } = column;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const operands: readonly string[] = [text, `${text},${text}`, 'true'];
      const filters = ALL_OPERATORS.flatMap((operator) => operands.map((operand) => [`filter[${name}${operator}]`, operand] as const));
      const queries = [...filters, ['sort', name] as const, ['sort', `-${name},id`] as const];
      for (const app of apps) {
        const answers = await Promise.all(queries.map(([parameter, operand]) => rest(app, parameter, operand)));
        expect(answers.filter((answer) => !isExplained(answer, answer.body.errors))).toEqual([]);
      }
    },
  );

  it.each(sample.oneIn(10, COLUMNS).map((column) => [column.type, column]))(
    '%s: RPC succeeds, or names the invalid field',
    async (_, column) => {
      const { name, value } = column;
      const operands = [value, [value], null];
      const modes = typeof value === 'string' ? [{}, { mode: 'insensitive' }] : [{}];
      const filters = [...PRISMA_OPERATORS.filter((name) => name !== 'search'), '_min', '_count'].flatMap((operator) =>
        operands.flatMap((operand) => modes.map((mode) => ({ [name]: { [operator]: operand, ...mode } }))),
      );
      const orders = [{ [name]: 'asc' }, { [name]: { sort: 'desc', nulls: 'last' } }];
      const groupings = ['_count', '_min', '_max', '_avg', '_sum'].flatMap((aggregate) => [
        ['aggregate', { [aggregate]: { [name]: true } }] as const,
        ['groupBy', { by: ['id'], [aggregate]: { [name]: true } }] as const,
        ['groupBy', { by: ['id'], orderBy: { [aggregate]: { [name]: 'asc' } } }] as const,
        ['groupBy', { by: ['id'], having: { [name]: { [aggregate]: { equals: value } } } }] as const,
      ]);
      const queries: readonly (readonly [string, object])[] = [
        ...filters.flatMap((filter) => [
          ['findMany', { where: filter, select: ID }] as const,
          ['groupBy', { by: [name], having: filter }] as const,
        ]),
        ...[value, null].map((operand) => ['findMany', { where: { [name]: operand }, select: ID }] as const),
        ...orders.map((orderBy) => ['findMany', { orderBy, select: ID }] as const),
        ['groupBy', { by: [name] }],
        ['groupBy', { by: [name], orderBy: { [name]: 'asc' } }],
        ['findMany', { distinct: [name], select: ID }],
        ['findMany', { distinct: [name], take: 1, orderBy: { id: 'asc' }, select: ID }],
        ...groupings,
      ];
      for (const app of apps) {
        const answers = await Promise.all(queries.map(([operation, args]) => rpc(app, operation, args)));
        expect(answers.filter((answer) => !isExplained(answer, answer.body.error && [answer.body.error]))).toEqual([]);
      }
    },
  );
});

/** Whether a request succeeded, or its error has a reason and a place. */
function isExplained({ status }: Answer, problems: readonly Problem[] = []): boolean {
  if (status === 200) return true;
  if (status !== 400) return false;
  return problems.every((problem) => {
    const detail = problem.detail ?? problem.message ?? '';
    const hasPlace = problem.detail === undefined || problem.source?.parameter !== undefined;
    return hasPlace && !/The data layer|does not fit the type of its field/.test(detail);
  });
}
