import { expect, it, describe } from '@jest/globals';
import { ApplicationHooks } from '../../../lib/hooks/application-hooks.js';

/** Returns hooks that run after a commit, each under its name. */
function committed(methods: Readonly<Record<string, () => unknown>>): {
  readonly hooks: ApplicationHooks;
  readonly failures: readonly string[];
} {
  const failures: string[] = [];
  const hooks = new ApplicationHooks(new Map(), ({ place }) => failures.push(place));
  const rows = Object.keys(methods).map((name) => ({ hook: { place: `TagHooks.${name}`, name, owner: () => methods }, given: {} }));
  Reflect.apply(Reflect.get(hooks, 'callAfterCommit') as (committed: object[]) => void, hooks, [rows]);
  return { hooks, failures };
}

describe('hooks after a commit', () => {
  it('are awaited until they have settled, with a result or an error', async () => {
    let isOver = false;
    const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20)).then(() => void (isOver = true));
    const fail = (): Promise<never> => Promise.reject(new Error('no'));
    const { hooks, failures } = committed({ later, fail });
    expect(await hooks.settled(60_000)).toEqual([]);
    expect([isOver, failures]).toEqual([true, ['TagHooks.fail']]);
  });

  it('are returned by name where they have not settled after the timeout', async () => {
    const stuck = (): Promise<void> => new Promise(() => undefined);
    const { hooks } = committed({ stuck, done: () => undefined });
    expect(await hooks.settled(20)).toEqual(['TagHooks.stuck']);
    expect(await committed({}).hooks.settled(0)).toEqual([]);
  });
});
