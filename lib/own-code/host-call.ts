import type { CallersBinding } from './callers-client.js';

/** A call that begins when it is first awaited, as Prisma's do, or in the array of a `$transaction`. */
export class HostCall implements Promise<unknown> {
  readonly [Symbol.toStringTag] = 'PrismaPromise';
  readonly #binding: CallersBinding;
  readonly #start: (binding: CallersBinding) => Promise<unknown>;
  #begun: Promise<unknown> | undefined;

  constructor(binding: CallersBinding, start: (binding: CallersBinding) => Promise<unknown>) {
    this.#binding = binding;
    this.#start = start;
  }

  /** Begins it on the client of a transaction. */
  beginIn(binding: CallersBinding): Promise<unknown> {
    return this.#start(binding);
  }

  then<Done = unknown, Failed = never>(
    onFulfilled?: ((value: unknown) => Done | PromiseLike<Done>) | null,
    onRejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#begin().then(onFulfilled, onRejected);
  }

  catch<Failed = never>(onRejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null): Promise<unknown> {
    return this.#begin().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<unknown> {
    return this.#begin().finally(onFinally);
  }

  #begin(): Promise<unknown> {
    return (this.#begun ??= this.#start(this.#binding));
  }
}
