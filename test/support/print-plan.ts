import type { DataCall, Expectation, Plan, WrittenKey } from '../../lib/executor/plan.js';
import { delegateOf } from '../../lib/model/schema/delegate-of.js';
import { type PrismaCall, printQuery } from '../../lib/prisma/print-query.js';

/** A call of Prisma's client. */
export interface PrintedCall extends PrismaCall {
  readonly before?: readonly PrintedCall[];
  readonly expect?: Expectation;
  readonly foreignKeys?: readonly PrintedKey[];
}

type PrintedKey = Omit<WrittenKey, 'model'> & { readonly delegate: string };

interface PrintedPlans {
  readonly call: { readonly kind: 'call'; readonly call: PrintedCall };
  readonly collection: { readonly kind: 'collection'; readonly rows: PrintedCall; readonly total?: PrintedCall };
  readonly transaction: { readonly kind: 'transaction'; readonly calls: readonly PrintedCall[] };
}

/** Prints the queries of a plan as calls of Prisma's client. */
export function printPlan<P extends Plan>(plan: P): PrintedPlans[P['kind']];
export function printPlan(plan: Plan): PrintedPlans[Plan['kind']] {
  switch (plan.kind) {
    case 'call':
      return { ...plan, call: printCall(plan.call) };
    case 'collection': {
      const { total, ...page } = plan;
      return { ...page, rows: printCall(plan.rows), ...(total && { total: printCall(total) }) };
    }
    case 'transaction':
      return { ...plan, calls: plan.calls.map(printCall) };
  }
}

/** The same of one call. */
export function printCall({ query, before, foreignKeys, ...call }: DataCall): PrintedCall {
  return {
    ...printQuery(query),
    ...call,
    ...(before && { before: before.map(printCall) }),
    ...(foreignKeys && { foreignKeys: foreignKeys.map(({ model, ...key }) => ({ delegate: delegateOf(model.model), ...key })) }),
  };
}
