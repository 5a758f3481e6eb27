import { callMethod } from '../platform/provider-classes.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { RowHooks, WriteObserver } from '../rules/write-observer.js';
import type { CompiledHooks } from './compile-hooks.js';
import type { HookAction } from './hook.js';
import { type CommittedRows, ObservedTransaction } from './observed-transaction.js';

/** What went wrong after a commit, when nobody could be told any more. */
export interface HookFailure {
  /** E.g. `TaskHooks.notify`. */
  readonly place: string;
  readonly request: Partial<Pick<PlatformRequest, 'method' | 'url'>> | undefined;
  readonly error: unknown;
}

/** The hooks of the host, as those who write rows know them. */
export class HostHooks implements RowHooks {
  /** The calls that go on, with the place of their hook. */
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
      this.tell(rows, request);
    });
  }

  /**
   * Waits for those who are still busy with what was committed.
   *
   * @param grace milliseconds
   * @returns the places of those who are busy after it
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

  /** The response does not wait for it. */
  private tell(committed: readonly CommittedRows[], request: object | undefined): void {
    for (const { hook, given } of committed) {
      const running = call(hook, given).then(
        () => undefined,
        (error: unknown) => {
          this.onFailure({ place: hook.place, request, error });
        },
      );
      this.running.set(running, hook.place);
      void running.then(() => this.running.delete(running));
    }
  }
}

async function call({ owner, name }: CommittedRows['hook'], given: object): Promise<void> {
  await callMethod(owner(), name, given);
}
