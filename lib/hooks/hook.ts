import type { RowOf } from '../executor/row-of.js';
import type { RowAction } from '../rules/write-observer.js';

/** What is done to a record. */
export type HookAction = RowAction;

/** When a hook is called. */
export type HookMoment = 'before' | 'after' | 'commit';

/** What `@BeforeWrite` takes after the actions. */
export interface BeforeWriteOptions {
  /** Whether `before` is the whole record, as it is before an update or a delete. @default false */
  readonly before?: boolean;
}

/**
 * What a method with `@BeforeWrite` is given. It may return other data, which is written instead.
 *
 * @typeParam Client your Prisma client, extended or not
 * @typeParam Model Prisma's name of the model, or `'*'`
 * @typeParam Request the platform's request, with what your guards put on it
 * @typeParam Action those of the decorator
 */
export type BeforeWriteOf<
  Client,
  Model extends string,
  Request = unknown,
  Action extends HookAction = Exclude<HookAction, 'delete'>,
> = Action extends HookAction
  ? Told<Client, Model, Request> & {
      readonly action: Action;
      /** The columns that are written, foreign keys among them; undefined of a delete. Frozen: return other data to change it. */
      readonly data: DataOf<HookRow<Client, Model>, Action>;
      /** The key of the record; undefined where it is created. */
      readonly key: Action extends 'create' ? undefined : HookKey;
      /** The record as it is, where `{ before: true }` asks for it. */
      readonly before: Action extends 'create' ? undefined : HookRow<Client, Model> | undefined;
    }
  : never;

/** What a method with `@AfterWrite` is given. The type parameters are those of {@link BeforeWriteOf}. */
export type AfterWriteOf<
  Client,
  Model extends string,
  Request = unknown,
  Action extends HookAction = HookAction,
> = Action extends HookAction ? Told<Client, Model, Request> & HookChange<HookRow<Client, Model>, Action> : never;

/** What a method with `@AfterCommit` is given: all records of one model to which one request has done the same. */
export interface AfterCommitOf<Client, Model extends string, Request = unknown, Action extends HookAction = HookAction> {
  /** Prisma's name of the model. */
  readonly model: ModelName<Model>;
  readonly action: Action;
  /** The records as they were written; deleted ones as they were. */
  readonly rows: readonly HookRow<Client, Model>[];
  /** The same with more of each, in the same order. */
  readonly changes: readonly HookChange<HookRow<Client, Model>, Action>[];
  readonly request: Request;
}

/** What was done to a record. */
export interface HookChange<Row, Action extends HookAction> {
  readonly action: Action;
  /** The values of the primary key, or of the unique fields that stand for one. */
  readonly key: HookKey;
  /** The whole record as it was, hidden fields too; undefined where it is created. */
  readonly before: Action extends 'create' ? undefined : Row;
  /** The whole record as it is; undefined where it is deleted. */
  readonly after: Action extends 'delete' ? undefined : Row;
  /** The fields whose values differ before and after; of a created or deleted record those that have one. */
  readonly changed: readonly (keyof Row & string)[];
}

/** By field. */
export type HookKey = Readonly<Record<string, unknown>>;

interface Told<Client, Model extends string, Request> {
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

/** What RPC can do to a value beside setting it. */
type ChangeOf<Value> = unknown extends Value
  ? never
  : Value extends number | bigint | { toDecimalPlaces(places: number): unknown }
    ? Readonly<Partial<Record<'increment' | 'decrement' | 'multiply' | 'divide', Value>>>
    : Value extends readonly (infer Element)[]
      ? { readonly push: Element | Value }
      : never;

/** A hook as it was found on a provider. */
export interface GivenHook {
  /** Prisma's name of the model, or `'*'`. */
  readonly model: string;
  readonly moment: HookMoment;
  /** None for all of them. */
  readonly actions: readonly string[];
  readonly wantsBefore: boolean;
  /** E.g. `TaskHooks.check`. */
  readonly place: string;
  /** The name of the method. */
  readonly name: string;
  /** The provider, once there is one. */
  readonly owner: () => unknown;
}
