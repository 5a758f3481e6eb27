import type { PrismaClient } from '../../../support/generated/prisma/client.js';

/** Thrown at the end of a transaction to roll it back. */
const DONE = new Error('Undone.');

const READ = /^(?:find|count|aggregate|groupBy)/;

type Operation = (args?: unknown) => Promise<unknown>;
type Delegates = Readonly<Record<string, Readonly<Record<string, Operation | undefined>> | undefined>>;

/** Returns a client that rolls every operation back after its result, so that each request reads the same rows. */
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

/** Returns an object whose members are created when they are read. */
function named(member: (name: string) => unknown): object {
  return new Proxy({}, { get: (_, name) => (typeof name === 'string' ? member(name) : undefined) });
}
