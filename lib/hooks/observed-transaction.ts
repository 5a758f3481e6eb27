import type { Executor } from '../executor/executor.js';
import { valueText } from '../executor/missing-records.js';
import { undoneByFailures } from '../executor/client/undone-by-failures.js';
import { ApiError } from '../errors/api-error.js';
import { ApplicationCodeError } from '../errors/application-code-error.js';
import { isConnectionLost } from '../errors/is-connection-lost.js';
import { isWriteConflict } from '../errors/is-write-conflict.js';
import type { StoredModel } from '../model/storage/storage.js';
import { callMethod } from '../platform/provider-classes.js';
import { rowKey } from '../query/key.js';
import type { Row } from '../query/result.js';
import type { WrittenRecord } from '../query/write.js';
import type { AwaitedWrite, DoneWrite, RowWatch, WriteObserver } from '../rules/write-observer.js';
import type { CompiledHooks, HooksOfWrite } from './compile-hooks.js';
import type { HookMethod, HookAction, HookChange } from './hook.js';
import { hookDataOf, withData } from './hook-data.js';

/** An `@AfterCommit` hook and the argument that it receives. */
export interface CommittedRows {
  readonly hook: HookMethod;
  readonly given: object;
}

/** Calls the hooks of the application for the writes of one transaction, and collects the written rows for its `@AfterCommit` hooks. */
export class ObservedTransaction implements WriteObserver {
  private readonly groups = new Map<HooksOfWrite, ChangedRows>();

  constructor(
    private readonly hooks: CompiledHooks,
    /** The platform's request, which the hooks receive. */
    private readonly request: object | undefined,
    private readonly onCommitted: (rows: readonly CommittedRows[]) => void,
  ) {}

  begin(): ObservedTransaction {
    return new ObservedTransaction(this.hooks, this.request, this.onCommitted);
  }

  watch(model: StoredModel, action: HookAction): RowWatch | undefined {
    const hooks = this.hooks.get(model.model)?.[action];
    if (!hooks) return undefined;
    const about: ObservedModel = { model, action, request: this.request };
    return {
      wantsAfter: hooks.wantsAfter,
      before: (executor, write) => tellBefore(hooks, about, executor, write),
      after: async (executor, write) => {
        const change = changeOf(about, write);
        for (const hook of hooks.hooks.after) await callHook(hook, executor, { ...change, model: model.model, request: about.request });
        if (hooks.hooks.commit.length > 0) this.keep(hooks, about, change);
      },
    };
  }

  wantsBefore({ model }: StoredModel): boolean {
    const { update, delete: deletion } = this.hooks.get(model) ?? {};
    return update?.wantsBefore === true || deletion?.wantsBefore === true;
  }

  committed(): void {
    const committed = [...this.groups].flatMap(([{ hooks }, { about, changes }]) => {
      const { model, action, request } = about;
      const rows = changes.map(({ before, after }) => after ?? before);
      return hooks.commit.map((hook) => ({ hook, given: { model: model.model, action, rows, changes, request } }));
    });
    this.groups.clear();
    if (committed.length > 0) this.onCommitted(committed);
  }

  private keep(hooks: HooksOfWrite, about: ObservedModel, change: Change): void {
    const group = this.groups.get(hooks) ?? { about, changes: [] };
    this.groups.set(hooks, group);
    group.changes.push(change);
  }
}

/** One action on one model, in one request. */
interface ObservedModel {
  readonly model: StoredModel;
  readonly action: HookAction;
  readonly request: object | undefined;
}

interface ChangedRows {
  readonly about: ObservedModel;
  readonly changes: Change[];
}

type Change = HookChange<Row, HookAction>;

function changeOf({ model, action }: ObservedModel, write: DoneWrite): Change {
  const names = listFieldNames(model);
  const [before, after] = [write.before && pick(write.before, names), write.after && pick(write.after, names)];
  const changed = names.filter((name) => valueText(before?.[name] ?? null) !== valueText(after?.[name] ?? null));
  return Object.freeze({ action, key: keyIn(model, after ?? before ?? {}), before, after, changed });
}

function listFieldNames({ fields }: StoredModel): readonly string[] {
  return [...fields.values()].filter(({ ignored }) => !ignored).map(({ name }) => name);
}

/** Returns the given fields of a row, which may have more fields than the query selected. */
function pick(row: Row, names: readonly string[]): Row {
  return Object.freeze(Object.fromEntries(names.map((name) => [name, row[name]])));
}

function keyIn(model: StoredModel, row: Row): Row {
  return pick(row, rowKey(model).fields);
}

/** Calls the `@BeforeWrite` hooks in order. Each hook receives the data that the previous one has returned. */
async function tellBefore(
  { hooks }: HooksOfWrite,
  { model, action, request }: ObservedModel,
  executor: Executor,
  { record, before }: AwaitedWrite,
): Promise<WrittenRecord> {
  const key = before && keyIn(model, before);
  let given = record;
  for (const hook of hooks.before) {
    const data = action === 'delete' ? undefined : hookDataOf(given);
    const whole = before && hook.wantsBefore ? pick(before, listFieldNames(model)) : undefined;
    const returned = await callHook(hook, executor, { model: model.model, action, data, key, before: whole, request });
    if (data) given = withData(given, data, returned, hook.place);
  }
  return given;
}

/**
 * Calls a hook with the client of the transaction, if there is one.
 *
 * @throws ApplicationCodeError for every error of the hook except an `ApiError`, a write conflict and a lost connection. A Prisma error of the hook, such as
 * `P2025`, would otherwise be reported as an error of the write itself.
 */
async function callHook({ owner, name, place }: HookMethod, executor: Executor, given: object): Promise<unknown> {
  try {
    return await undoneByFailures(executor.client?.(), (client) => callMethod(owner(), name, { ...given, client }));
  } catch (cause) {
    // Write conflicts and lost connections concern the whole transaction, whichever query has met them.
    if (cause instanceof ApiError || isWriteConflict(cause) || isConnectionLost(cause)) throw cause;
    throw new ApplicationCodeError(place, `threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
