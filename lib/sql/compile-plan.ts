import type { AtMost, CallPlan, CollectionPlan, DataCall, Plan } from '../data-client/plan.js';
import { delegateOf } from '../model/exposure/naming.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { Declined, decline } from './declined.js';
import { compileCount } from './count.js';
import { compileFind, type Reading, type RowSet } from './find.js';
import { readRows } from './read-rows.js';
import { type Parameter, Statement } from './statement.js';

/** A read as one statement. */
export interface CompiledRead {
  readonly text: string;
  readonly values: readonly Parameter[];
  /**
   * Converts the one row of the statement to what Prisma returns for each call.
   *
   * @throws Declined for values and missing rows that Prisma must answer for
   */
  readonly read: (cells: readonly unknown[]) => readonly unknown[];
}

/** The reads of a plan, and why they are left to Prisma. */
export interface DeclinedRead {
  readonly call: DataCall;
  readonly reason: string;
}

/** Compiles the calls of a plan, all of them into one statement. */
export class PlanCompiler {
  readonly #models: ReadonlyMap<string, StoredModel>;

  constructor(
    private readonly storage: Storage,
    private readonly schema: string,
  ) {
    this.#models = new Map([...storage.byModel.values()].map((model) => [delegateOf(model.model), model]));
  }

  modelOf({ delegate }: DataCall): string {
    return this.#models.get(delegate)?.model ?? delegate;
  }

  compile(plan: CallPlan | CollectionPlan): CompiledRead | DeclinedRead {
    const statement = new Statement(this.schema);
    const reading = { statement, storage: this.storage, queries: [], cells: [] };
    const calls = callsOf(plan);
    const readers: ((cells: readonly unknown[]) => unknown)[] = [];
    for (const call of calls) {
      try {
        readers.push(this.compileCall(reading, call));
      } catch (error) {
        if (error instanceof Declined) return { call, reason: error.message };
        throw error;
      }
    }
    return { text: print(reading), values: statement.values, read: (cells) => readers.map((read) => read(cells)) };
  }

  private compileCall(reading: Reading, call: DataCall): (cells: readonly unknown[]) => unknown {
    const { operation, args, expect, before } = call;
    const model = this.#models.get(call.delegate);
    if (!model) return decline('a model that the schema does not know');
    if (before || (expect && expect.kind !== 'at-most')) return decline('a check of a write');
    if (operation === 'count') return compileCount(reading, model, args);
    return FINDS.has(operation) ? findReader(reading, model, { operation, args, expect }) : decline(`the operation ${operation}`);
  }
}

type Find = Pick<DataCall, 'operation' | 'args'> & { readonly expect: AtMost | undefined };

function findReader(reading: Reading, model: StoredModel, { operation, args, expect }: Find): (cells: readonly unknown[]) => unknown {
  const budget = expect?.relations ? { budget: expect.rows } : {};
  const set = compileFind({ ...reading, ...budget }, model, { operation, args });
  const read = (cells: readonly unknown[]): unknown => (operation === 'findMany' ? rowsIn(set, cells) : rowIn(set, cells, operation));
  if (args['distinct'] === undefined || !expect) return read;
  const count = compileCount(reading, model, { where: args['where'], take: expect.rows + 1 });
  return (cells) => (Number(count(cells)) > expect.rows ? decline('more rows than Prisma would look through') : read(cells));
}

const FINDS: ReadonlySet<string> = new Set(['findUnique', 'findUniqueOrThrow', 'findFirst', 'findFirstOrThrow', 'findMany']);

function callsOf(plan: Exclude<Plan, { readonly kind: 'transaction' }>): readonly DataCall[] {
  if (plan.kind === 'call') return [plan.call];
  return plan.total ? [plan.rows, plan.total] : [plan.rows];
}

function print({ queries, cells }: Reading): string {
  const selected = cells.map((cell, index) => `${cell}::text AS "r${index}"`).join(', ');
  return `${queries.length > 0 ? `WITH ${queries.join(', ')} ` : ''}SELECT ${selected}`;
}

function rowsIn(set: RowSet, cells: readonly unknown[]): readonly unknown[] {
  return readRows(
    set,
    cells.map((cell) => (cell === null ? [] : (JSON.parse(cell as string) as readonly (readonly unknown[])[]))),
  );
}

/** If a required row is missing, Prisma answers, with its own error. */
function rowIn(set: RowSet, cells: readonly unknown[], operation: string): unknown {
  const [row = null] = rowsIn(set, cells);
  return row === null && operation.endsWith('OrThrow') ? decline('a row that is not there') : row;
}
