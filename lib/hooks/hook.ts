import type { RowOf } from '../executor/data-client.js';
import type { RowAction } from '../rules/write-observer.js';

/** The action of a write on a record. */
export type HookAction = RowAction;

/** The moment at which a hook is called: before or after the write in its transaction, or after the commit. */
export type HookMoment = 'before' | 'after' | 'commit';

/** The options of `@BeforeWrite`, which follow the actions. */
export interface BeforeWriteOptions {
  /** Whether the hook receives `before`: the whole record, as it is before an update or a delete. @default false */
  readonly before?: boolean;
}

/**
 * The argument of a method with `@BeforeWrite`. The method may return other data, which is written instead.
 *
 * @typeParam Client your Prisma client, extended or not
 * @typeParam Model Prisma's name of the model, or `'*'`
 * @typeParam Request the platform's request, with what your guards put on it
 * @typeParam Action the actions of the decorator
 */
export type BeforeWriteOf<
  Client,
  Model extends string,
  Request = unknown,
  Action extends HookAction = Exclude<HookAction, 'delete'>,
> = Action extends HookAction
  ? HookContext<Client, Model, Request> & {
      readonly action: Action;
      /** The columns that are written, foreign keys included; undefined for a delete. The object is frozen: return other data to change it. */
      readonly data: DataOf<HookRow<Client, Model>, Action>;
      /** The key of the record; undefined for a create. */
      readonly key: Action extends 'create' ? undefined : HookKey;
      /** The record before the write; undefined for a create, and without the option `{ before: true }`. */
      readonly before: Action extends 'create' ? undefined : HookRow<Client, Model> | undefined;
    }
  : never;

/** The argument of a method with `@AfterWrite`. The type parameters are those of {@link BeforeWriteOf}. */
export type AfterWriteOf<
  Client,
  Model extends string,
  Request = unknown,
  Action extends HookAction = HookAction,
> = Action extends HookAction ? HookContext<Client, Model, Request> & HookChange<HookRow<Client, Model>, Action> : never;

/** The argument of a method with `@AfterCommit`: all records of one model on which one request has performed the same action. */
export interface AfterCommitOf<Client, Model extends string, Request = unknown, Action extends HookAction = HookAction> {
  /** Prisma's name of the model. */
  readonly model: ModelName<Model>;
  readonly action: Action;
  /** The records after the write; for a delete, the records before it. */
  readonly rows: readonly HookRow<Client, Model>[];
  /** The details of each record in `rows`, in the same order. */
  readonly changes: readonly HookChange<HookRow<Client, Model>, Action>[];
  readonly request: Request;
}

/** The key of a written record, and its values before and after the write. */
export interface HookChange<Row, Action extends HookAction> {
  readonly action: Action;
  /** The values of the primary key, or of a unique key if the model has no primary key. */
  readonly key: HookKey;
  /** The whole record before the write, hidden fields included; undefined for a create. */
  readonly before: Action extends 'create' ? undefined : Row;
  /** The whole record after the write, hidden fields included; undefined for a delete. */
  readonly after: Action extends 'delete' ? undefined : Row;
  /** The fields whose values differ before and after. For a create or delete, the fields whose value is not null. */
  readonly changed: readonly (keyof Row & string)[];
}

/** The values of a key, by field. */
export type HookKey = Readonly<Record<string, unknown>>;

interface HookContext<Client, Model extends string, Request> {
  /** Prisma's name of the model. */
  readonly model: ModelName<Model>;
  /** Your client in the transaction of the write, without rules and hooks. */
  readonly client: Client;
  readonly request: Request;
}

type ModelName<Model extends string> = Model extends '*' ? string : Model;
type HookRow<Client, Model extends string> = Model extends '*' ? Readonly<Record<string, unknown>> : RowOf<Client, Model>;

type DataOf<Row, Action extends HookAction> = Action extends 'delete'
  ? undefined
  : { readonly [Field in keyof Row]?: Row[Field] | (Action extends 'update' ? ChangeOf<NonNullable<Row[Field]>> : never) | undefined };

/** The operations that RPC accepts for a value beside setting it. */
type ChangeOf<Value> = unknown extends Value
  ? never
  : Value extends number | bigint | { toDecimalPlaces(places: number): unknown }
    ? Readonly<Partial<Record<'increment' | 'decrement' | 'multiply' | 'divide', Value>>>
    : Value extends readonly (infer Element)[]
      ? { readonly push: Element | Value }
      : never;

/** A hook method of a provider, with the arguments of its decorator. */
export interface HookMethod {
  /** Prisma's name of the model, or `'*'`. */
  readonly model: string;
  readonly moment: HookMoment;
  /** The actions for which the hook is called. Empty for all actions. */
  readonly actions: readonly string[];
  readonly wantsBefore: boolean;
  /** The class and method, e.g. `TaskHooks.check`. */
  readonly place: string;
  readonly name: string;
  /** Returns the instance of the provider, once Nest has created it. */
  readonly owner: () => unknown;
}
