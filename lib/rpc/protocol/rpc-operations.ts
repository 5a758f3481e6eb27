/** An operation of the RPC style. */
export interface RpcOperation {
  readonly name: string;
  /** The first verb is preferred. PUT and PATCH are equivalent. */
  readonly verbs: readonly RpcVerb[];
  /** The place of the argument: the query parameter `q`, or the JSON body. */
  readonly input: 'q' | 'body';
  /** The status of success (specification, section 7). */
  readonly status: 200 | 201;
  /** The actions that the model must expose. The planner also requires `read` for a result or a filter. */
  readonly actions: readonly RpcAction[];
  /** The accepted keys of the argument. Any other key is rejected. */
  readonly arguments: readonly string[];
  /** The required keys of the argument. `deleteMany` and `updateMany` require an explicit `where: {}` for all records. */
  readonly required: readonly string[];
  /** The kind of value in `data`. */
  readonly result: RpcResult;
  /** The databases that lack the operation, by the names of Prisma's providers. */
  readonly lackedBy?: readonly string[];
}

export type RpcVerb = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export type RpcAction = 'read' | 'create' | 'update' | 'delete';

/**
 * The kinds of results.
 *
 * - `rows`: records
 * - `row`: one record, or an error if there is none
 * - `row-or-null`: one record, or null
 * - `count`: a number, or numbers by field
 * - `aggregate`: one object of aggregates
 * - `groups`: one such object per group
 * - `affected`: `{ count }`
 */
export type RpcResult = 'rows' | 'row' | 'row-or-null' | 'count' | 'aggregate' | 'groups' | 'affected';

const SELECTION = ['select', 'include', 'omit'] as const;
const PAGE = ['where', 'orderBy', 'cursor', 'take', 'skip'] as const;
const AGGREGATES = ['_count', '_avg', '_sum', '_min', '_max'] as const;

const READ = { verbs: ['GET'], input: 'q', status: 200, actions: ['read'], required: [] } as const;
const CREATE = { verbs: ['POST'], input: 'body', status: 201, actions: ['create'], required: ['data'] } as const;
const UPDATE = { verbs: ['PATCH', 'PUT'], input: 'body', status: 200, actions: ['update'], required: ['where', 'data'] } as const;
const DELETE = { verbs: ['DELETE'], input: 'q', status: 200, actions: ['delete'], required: ['where'] } as const;

/** Prisma returns the rows of a bulk write only on databases with `RETURNING`. */
const RETURNING = { result: 'rows', lackedBy: ['mysql', 'sqlserver', 'mongodb'] } as const;

const FIND = [...PAGE, 'distinct', ...SELECTION, 'relationLoadStrategy'] as const;
const FIND_UNIQUE = ['where', ...SELECTION, 'relationLoadStrategy'] as const;

/**
 * The operations of the RPC style, by name: the specification's table (section 4.2), and additions.
 *
 * This is plain data without imports, because the parser, the planner, the OpenAPI document and the typed client read it, in Node and in browsers. An
 * operation that is not in this table does not exist, even if a newer data client has it. Use {@link findOperation} to look up a name from a request.
 */
export const RPC_OPERATIONS = {
  findMany: { name: 'findMany', ...READ, arguments: FIND, result: 'rows' },
  findUnique: { name: 'findUnique', ...READ, arguments: FIND_UNIQUE, required: ['where'], result: 'row-or-null' },
  findUniqueOrThrow: { name: 'findUniqueOrThrow', ...READ, arguments: FIND_UNIQUE, required: ['where'], result: 'row' },
  findFirst: { name: 'findFirst', ...READ, arguments: FIND, result: 'row-or-null' },
  findFirstOrThrow: { name: 'findFirstOrThrow', ...READ, arguments: FIND, result: 'row' },
  count: { name: 'count', ...READ, arguments: [...PAGE, 'select'], result: 'count' },
  aggregate: { name: 'aggregate', ...READ, arguments: [...PAGE, ...AGGREGATES], result: 'aggregate' },
  groupBy: {
    name: 'groupBy',
    ...READ,
    arguments: ['by', 'where', 'having', 'orderBy', 'take', 'skip', ...AGGREGATES],
    required: ['by'],
    result: 'groups',
  },
  create: { name: 'create', ...CREATE, arguments: ['data', ...SELECTION, 'relationLoadStrategy'], result: 'row' },
  createMany: { name: 'createMany', ...CREATE, arguments: ['data', 'skipDuplicates'], result: 'affected' },
  createManyAndReturn: { name: 'createManyAndReturn', ...CREATE, arguments: ['data', 'skipDuplicates', ...SELECTION], ...RETURNING },
  update: { name: 'update', ...UPDATE, arguments: ['where', 'data', ...SELECTION, 'relationLoadStrategy'], result: 'row' },
  updateMany: { name: 'updateMany', ...UPDATE, arguments: ['where', 'data', 'limit'], result: 'affected' },
  updateManyAndReturn: { name: 'updateManyAndReturn', ...UPDATE, arguments: ['where', 'data', 'limit', ...SELECTION], ...RETURNING },
  upsert: {
    name: 'upsert',
    ...CREATE,
    status: 200,
    actions: ['create', 'update'],
    arguments: ['where', 'create', 'update', ...SELECTION, 'relationLoadStrategy'],
    required: ['where', 'create', 'update'],
    result: 'row',
  },
  delete: { name: 'delete', ...DELETE, arguments: ['where', ...SELECTION, 'relationLoadStrategy'], result: 'row' },
  deleteMany: { name: 'deleteMany', ...DELETE, arguments: ['where', 'limit'], result: 'affected' },
} as const satisfies Readonly<Record<string, RpcOperation>>;

/** The name of an operation. */
export type RpcOperationName = keyof typeof RPC_OPERATIONS;

/** An entry of {@link RPC_OPERATIONS}. */
export type KnownRpcOperation = (typeof RPC_OPERATIONS)[RpcOperationName];

const BY_NAME: ReadonlyMap<string, KnownRpcOperation> = new Map(Object.entries(RPC_OPERATIONS));

/** Returns the operation with exactly this name. It is safe for any text, such as `constructor`. */
export function findOperation(name: string): KnownRpcOperation | undefined {
  return BY_NAME.get(name);
}

/** Whether an operation accepts `select`, `include` and `omit`. The `select` of `count` is an aggregate. */
export function takesSelection({ arguments: keys }: RpcOperation): boolean {
  return keys.includes('omit');
}

/** Whether an operation writes records. */
export function isWriteOperation({ actions }: Pick<RpcOperation, 'actions'>): boolean {
  return actions.some((action) => action !== 'read');
}

/** Whether an operation writes many records and returns them: `createManyAndReturn` and `updateManyAndReturn`. */
export function returnsWrittenRows(operation: RpcOperation): boolean {
  return operation.result === 'rows' && isWriteOperation(operation);
}

/** The endpoint of the description: `GET /$describe` of what the caller can see and do, or `GET /$describe/<model>` of one model. */
export const RPC_DESCRIPTION = { name: '$describe', verbs: ['GET'] } as const;

/** Whether an endpoint is that of the description, of all models or of one. */
export function isDescription({ path }: { readonly path: string }): boolean {
  return path.startsWith(RPC_DESCRIPTION.name);
}

/**
 * The endpoint of a batch, which runs several operations as one transaction: `POST /$transaction/sequential` with `[{ model, op, args }, …]`. It
 * returns their results in order. The array may be an array-like object (`{ "0": …, "1": …, "meta": … }`).
 */
export const RPC_BATCH = {
  model: '$transaction',
  name: 'sequential',
  verbs: ['POST'],
  input: 'body',
  status: 200,
  members: ['model', 'op', 'args', 'ifMatch'],
} as const;
