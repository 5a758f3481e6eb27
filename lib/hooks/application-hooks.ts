import { callMethod } from '../platform/provider-classes.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { RowHooks, WriteObserver } from '../rules/write-observer.js';
import type { CompiledHooks } from './compile-hooks.js';
import type { HookAction } from './hook.js';
import { inBackground } from '../utils/in-background.js';
import { type CommittedRows, ObservedTransaction } from './observed-transaction.js';

/** The failure of an `@AfterCommit` hook, which no response can report. */
export interface HookFailure {
  /** The class and method, e.g. `TaskHooks.notify`. */
  readonly place: string;
  readonly request: Partial<Pick<PlatformRequest, 'method' | 'url'>> | undefined;
  readonly error: unknown;
}

/** The compiled hooks of the application. They create the observers of the writes of each transaction. */
export class ApplicationHooks implements RowHooks {
  /** The running calls of `@AfterCommit` hooks, with the class and method of each. */
  private readonly running = new Map<Promise<void>, string>();

  constructor(
    readonly hooks: CompiledHooks,
    private readonly onFailure: (failure: HookFailure) => void,
  ) {}

  has(model: string, action: HookAction): boolean {
    return this.hooks.get(model)?.[action] !== undefined;
  }

  begin({ request }: { readonly request?: object }): WriteObserver {
    return new ObservedTransaction(this.hooks, request, (rows) => {
      this.callAfterCommit(rows, request);
    });
  }

  /**
   * Waits for the running `@AfterCommit` hooks.
   *
   * @param grace milliseconds
   * @returns the class and method of each hook that is still running after that time
   */
  async settled(grace: number): Promise<readonly string[]> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<'over'>((resolve) => {
      timer = setTimeout(resolve, grace, 'over');
    });
    let waited: unknown;
    while (this.running.size > 0 && waited !== 'over') waited = await Promise.race([Promise.all(this.running.keys()), over]);
    clearTimeout(timer);
    return [...new Set(this.running.values())];
  }

  /** Calls the `@AfterCommit` hooks without waiting for them, so that they do not delay the response. */
  private callAfterCommit(committed: readonly CommittedRows[], request: object | undefined): void {
    for (const { hook, given } of committed) {
      const running = call(hook, given).then(
        () => undefined,
        (error: unknown) => {
          this.onFailure({ place: hook.place, request, error });
        },
      );
      this.running.set(running, hook.place);
      inBackground(running.finally(() => this.running.delete(running)));
    }
  }
}

async function call({ owner, name }: CommittedRows['hook'], given: object): Promise<void> {
  await callMethod(owner(), name, given);
}
