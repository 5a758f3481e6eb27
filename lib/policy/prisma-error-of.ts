import type { ExtendableClient } from './extendable-client.js';
import type { TransactionClosedError } from './transaction-scope.js';

/** `Prisma.PrismaClientKnownRequestError`, of the host's own copy. */
type KnownRequestError = new (message: string, details: { readonly code: string; readonly clientVersion: string }) => Error;

/**
 * The same error of Prisma's own class, so that a host's `instanceof` knows it; as it is where Prisma does not give the class away.
 *
 * The client has no other way to it than an error: it refuses a transaction without any time before it begins one.
 */
export async function prismaErrorOf(error: TransactionClosedError, client: ExtendableClient): Promise<Error> {
  const refusal = await client.$transaction(() => Promise.resolve(), { timeout: 0 }).catch((refused: unknown) => refused);
  if (!isKnown(refusal)) return error;
  const { constructor: Known, clientVersion } = refusal;
  return new Known(error.message, { code: error.code, clientVersion });
}

function isKnown(error: unknown): error is { readonly constructor: KnownRequestError; readonly clientVersion: string } {
  return error instanceof Error && error.name === 'PrismaClientKnownRequestError' && 'clientVersion' in error;
}
