import type { PrismaClient } from '../../../support/generated/prisma/client.js';

/** Ends a transaction whose work is done, and undoes it. */
const DONE = new Error('Undone.');

const READ = /^(?:find|count|aggregate|groupBy)/;

type Operation = (args?: unknown) => Promise<unknown>;
type Delegates = Readonly<Record<string, Readonly<Record<string, Operation | undefined>> | undefined>>;

/** The client with all that it does undone once its result is there, so that any number of requests may write and each finds the same rows. */
export function undoneClient(prisma: PrismaClient): object {
  const inUndone = async (run: (client: object) => Promise<unknown>): Promise<unknown> => {
    let result: unknown;
    const work = prisma.$transaction(async (open) => {
      result = await run(open);
      throw DONE;
    });
    await work.catch((error: unknown) => {
      if (error !== DONE) throw error;
    });
    return result;
  };
  const operationOf = (client: object, delegate: string, operation: string): Operation | undefined => {
    const owner = (client as Delegates)[delegate];
    const found: unknown = owner?.[operation];
    return typeof found === 'function' ? (found.bind(owner) as Operation) : undefined;
  };
  const delegateOf = (delegate: string): object =>
    named((operation) => {
      if (!operationOf(prisma, delegate, operation) || READ.test(operation)) return operationOf(prisma, delegate, operation);
      return (args: unknown) => inUndone(async (open) => operationOf(open, delegate, operation)?.(args));
    });
  return named((name) => (name === '$transaction' ? inUndone : name in prisma ? delegateOf(name) : undefined));
}

/** An object whose members are made when they are asked for. */
function named(member: (name: string) => unknown): object {
  return new Proxy({}, { get: (_, name) => (typeof name === 'string' ? member(name) : undefined) });
}
