import type { RPC_OPERATIONS, RpcOperationName } from '../../rpc/protocol/rpc-operations.js';
import type { ExposedArguments, WriteRight } from './exposed-arguments.js';
import type { Exposed, FieldsWith, Target } from './exposed-by.js';
import type { ExposedRow, Related, TypesOf } from './exposed-row.js';

/** The operations of one model that its actions and its database permit, with the arguments and results that the API exposes. */
export type ExposedDelegate<PrismaClient, Shown extends Exposed, Model extends string> = Pick<
  ExposedOperations<PrismaClient, Shown, Model>,
  OpenOperation<Shown[Model]['actions']> & keyof TypesOf<PrismaClient, Model>['operations']
>;

/** The action `restore` of a model with soft delete. It requires the right to delete. */
export type Restoring<PrismaClient, Shown extends Exposed, Model extends string> = Shown[Model] extends {
  readonly restores: true;
  readonly actions: infer Actions;
}
  ? 'delete' extends Actions
    ? { restore(args: KeyOf<ExposedInput<PrismaClient, Shown, Model, 'findUnique'>>): RestoredCall<PrismaClient, Shown, Model> }
    : unknown
  : unknown;

type KeyOf<Input> = Input extends { readonly where: infer Where } ? { readonly where: Where } : never;

type RestoredCall<PrismaClient, Shown extends Exposed, Model extends string> = ExposedCall<ExposedRow<PrismaClient, Shown, Model, object>>;

type OpenOperation<Actions> = {
  [Name in RpcOperationName]: [(typeof RPC_OPERATIONS)[Name]['actions'][number]] extends [Actions] ? Name : never;
}[RpcOperationName];

/** A call that is sent when it is first awaited. `$transaction` accepts it as well. */
interface ExposedCall<Result> extends Promise<Result> {
  readonly [Symbol.toStringTag]: 'PrismaPromise';
}

/** A call for one record, with Prisma's fluent methods. Each of them reads one relation alone. */
type ExposedRecordCall<PrismaClient, Shown extends Exposed, Model extends string, Row, Missing = never> = ExposedCall<Row> & {
  readonly [Name in FieldsWith<Shown, Model, 'read'> & keyof TypesOf<PrismaClient, Model>['payload']['objects']]: <
    Args extends RelationArguments<PrismaClient, Shown, Model, Name>,
  >(
    args?: Args & Exact<Args, RelationArguments<PrismaClient, Shown, Model, Name>>,
  ) => RelatedCall<
    PrismaClient,
    Shown,
    Target<Shown, Model, Name>,
    TypesOf<PrismaClient, Model>['payload']['objects'][Name],
    Args,
    Missing
  >;
};

type RelatedCall<PrismaClient, Shown extends Exposed, Model extends string, Payload, Args, Missing> = Payload extends readonly unknown[]
  ? ExposedCall<ExposedRow<PrismaClient, Shown, Model, Args>[] | Missing>
  : ExposedRecordCall<
      PrismaClient,
      Shown,
      Model,
      Related<Payload, ExposedRow<PrismaClient, Shown, Model, Args>> | Missing,
      Missing | Extract<Payload, null>
    >;

/** The arguments of a fluent method, which are those of the relation in an `include`. */
type RelationArguments<PrismaClient, Shown extends Exposed, Model extends string, Name> = Extract<
  Name extends keyof IncludeOf<PrismaClient, Model>
    ? ExposedArguments<NonNullable<IncludeOf<PrismaClient, Model>[Name]>, Shown, Target<Shown, Model, Name>>
    : never,
  object
>;

type IncludeOf<PrismaClient, Model extends string> =
  InputOf<PrismaClient, Model, 'findFirst'> extends { readonly include?: infer Include } ? NonNullable<Include> : never;

type InputOf<PrismaClient, Model extends string, Name> = Name extends keyof TypesOf<PrismaClient, Model>['operations']
  ? TypesOf<PrismaClient, Model>['operations'][Name] extends { readonly args: infer Input }
    ? Input
    : never
  : never;

type OutputOf<PrismaClient, Model extends string, Name> = Name extends keyof TypesOf<PrismaClient, Model>['operations']
  ? TypesOf<PrismaClient, Model>['operations'][Name] extends { readonly result: infer Output }
    ? Output
    : never
  : never;

/** The arguments of an operation. */
type ExposedInput<PrismaClient, Shown extends Exposed, Model extends string, Name extends RpcOperationName> = ExposedArguments<
  InputOf<PrismaClient, Model, Name>,
  Shown,
  Model,
  Name extends `update${string}` ? Extract<WriteRight, 'update'> : Extract<WriteRight, 'create'>
>;

/** Operations on one record that reject if it does not exist, or that create it. */
type OnRecord<P, S extends Exposed, M extends string> = {
  [Name in 'findUniqueOrThrow' | 'create' | 'update' | 'upsert' | 'delete']: <A extends ExposedInput<P, S, M, Name>>(
    args: A & Exact<A, ExposedInput<P, S, M, Name>>,
  ) => ExposedRecordCall<P, S, M, ExposedRow<P, S, M, A>>;
};

/** Writes of many records that return their number. */
type OnMany<P, S extends Exposed, M extends string> = {
  [Name in 'createMany' | 'updateMany' | 'deleteMany']: <A extends ExposedInput<P, S, M, Name>>(
    args: A & Exact<A, ExposedInput<P, S, M, Name>>,
  ) => ExposedCall<{ count: number }>;
};

/** Writes of many records that return the records. */
type OnManyAndReturn<P, S extends Exposed, M extends string> = {
  [Name in 'createManyAndReturn' | 'updateManyAndReturn']: <A extends ExposedInput<P, S, M, Name>>(
    args: A & Exact<A, ExposedInput<P, S, M, Name>>,
  ) => ExposedCall<ExposedRow<P, S, M, A>[]>;
};

/** The signatures of all operations, as in Prisma's client. */
interface ExposedOperations<P, S extends Exposed, M extends string> extends OnRecord<P, S, M>, OnMany<P, S, M>, OnManyAndReturn<P, S, M> {
  findMany<A extends ExposedInput<P, S, M, 'findMany'>>(
    args?: A & Exact<A, ExposedInput<P, S, M, 'findMany'>>,
  ): ExposedCall<ExposedRow<P, S, M, A>[]>;
  findUnique<A extends ExposedInput<P, S, M, 'findUnique'>>(
    args: A & Exact<A, ExposedInput<P, S, M, 'findUnique'>>,
  ): ExposedRecordCall<P, S, M, ExposedRow<P, S, M, A> | null, null>;
  findFirst<A extends ExposedInput<P, S, M, 'findFirst'>>(
    args?: A & Exact<A, ExposedInput<P, S, M, 'findFirst'>>,
  ): ExposedRecordCall<P, S, M, ExposedRow<P, S, M, A> | null, null>;
  findFirstOrThrow<A extends ExposedInput<P, S, M, 'findFirstOrThrow'>>(
    args?: A & Exact<A, ExposedInput<P, S, M, 'findFirstOrThrow'>>,
  ): ExposedRecordCall<P, S, M, ExposedRow<P, S, M, A>>;
  count<A extends ExposedInput<P, S, M, 'count'>>(args?: A & Exact<A, ExposedInput<P, S, M, 'count'>>): ExposedCall<CountOf<A>>;
  aggregate<A extends ExposedInput<P, S, M, 'aggregate'>>(
    args: A & Exact<A, ExposedInput<P, S, M, 'aggregate'>>,
  ): ExposedCall<AggregatesOf<A, OutputOf<P, M, 'aggregate'>>>;
  groupBy<const A extends ExposedInput<P, S, M, 'groupBy'>>(
    args: A & Exact<A, ExposedInput<P, S, M, 'groupBy'>> & GroupRules<A>,
  ): ExposedCall<GroupOf<A, OutputOf<P, M, 'groupBy'>>[]>;
}

type CountOf<Args> = Args extends { readonly select: infer Names extends object } ? { -readonly [Name in keyof Names]: number } : number;

type AggregatesOf<Args, Output> = {
  -readonly [Key in keyof Args & keyof Output & `_${string}`]: Args[Key] extends true
    ? number
    : Picked<Args[Key], NonNullable<Output[Key]>>;
};

type Picked<Names, Output> = { -readonly [Name in keyof Names]: Name extends keyof Output ? Output[Name] : never };

/** The rules of Prisma for `groupBy`: groups are ordered by fields of `by` or by aggregates, and `take` and `skip` need an `orderBy`. */
type GroupRules<Args> = Args extends { readonly by: infer By; readonly orderBy: infer Order }
  ? [Exclude<KeyOfEach<Order>, ItemOf<By> | `_${string}`>] extends [never]
    ? unknown
    : { readonly orderBy: never }
  : Args extends { readonly take: number } | { readonly skip: number }
    ? { readonly orderBy: never }
    : unknown;

type KeyOfEach<Order> = ItemOf<Order> extends infer Item ? (Item extends Item ? keyof Item : never) : never;

type ItemOf<Type> = Type extends readonly (infer Item)[] ? Item : Type;

type GroupOf<Args, Output> = Output extends readonly (infer Group)[]
  ? Args extends { readonly by: infer By }
    ? {
        [Name in keyof Group as Name extends ItemOf<By> ? Name : never]-?: Exclude<Group[Name], undefined>;
      } & AggregatesOf<Args, Group>
    : never
  : never;

/**
 * `never` for a given key that the wanted type lacks, at any depth; `unknown` otherwise. TypeScript itself accepts such keys in an argument whose
 * type is a type parameter.
 *
 * @example
 * declare function find<Args extends FindArgs>(args: Args & Exact<Args, FindArgs>): void;
 */
type Exact<Given, Wanted> = Given extends Leaf
  ? unknown
  : Given extends readonly unknown[]
    ? { [Index in keyof Given]: Exact<Given[Index], ElementOf<Wanted>> }
    : string extends KeyOfAny<Wanted>
      ? unknown
      : { [Key in keyof Given]: Key extends KeyOfAny<Wanted> ? Exact<Given[Key], ValueOfAny<Wanted, Key>> : never };

/** Values without keys to check. A Decimal of any copy of its class is recognized by its method `toFixed`. */
type Leaf =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Date
  | Uint8Array
  | { readonly toFixed: unknown }
  | ((...parts: never) => unknown);

type KeyOfAny<Union> = Union extends Leaf | readonly unknown[] ? never : Union extends Union ? keyof Union : never;

type ValueOfAny<Union, Key> = Union extends Leaf | readonly unknown[]
  ? never
  : Union extends Union
    ? Key extends keyof Union
      ? Union[Key]
      : never
    : never;

type ElementOf<Union> = Union extends readonly (infer Item)[] ? Item : never;

/**
 * The calls of an application's own actions: `api.task.complete({ where: { id: 1 }, args: { note: 'Done' } })`.
 *
 * @typeParam Actions the classes with `@ResourceActions`, by Prisma's names of their models: `{ Task: TaskActions }`. Only their types are used: no
 * code of the server is loaded
 */
export type OwnCalls<PrismaClient, Actions> = {
  readonly [Model in keyof Actions & string as Uncapitalize<Model>]: CallsOf<PrismaClient, Model, Actions[Model]>;
};

/** The calls of one class: each public method is an action. */
type CallsOf<PrismaClient, Model extends string, Provider> = {
  readonly [Name in keyof Provider & string as Provider[Name] extends (given: never) => unknown ? Name : never]: CallOf<
    PrismaClient,
    Model,
    Provider[Name]
  >;
};

type CallOf<PrismaClient, Model extends string, Method> = Method extends (given: infer Given) => infer Result
  ? Given extends { readonly body: infer Body extends object }
    ? (args: ActionKey<PrismaClient, Model> & { readonly args: Body }) => AnswerOf<PrismaClient, Model, Awaited<Result>>
    : (args?: ActionKey<PrismaClient, Model>) => AnswerOf<PrismaClient, Model, Awaited<Result>>
  : never;

/** The key of the record; absent for an action on the collection. */
interface ActionKey<PrismaClient, Model extends string> {
  readonly where?: UniqueWhere<PrismaClient, Model>;
}

type UniqueWhere<PrismaClient, Model extends string> = TypesOf<PrismaClient, Model>['operations'] extends {
  readonly findUnique: { readonly args: { where: infer Where } };
}
  ? Where
  : never;

/**
 * The result of an action: a record of the model as its row, any other value as JSON. If the method may return null or undefined, the result may be
 * null.
 */
type AnswerOf<PrismaClient, Model extends string, Result> = ExposedCall<
  Result extends TypesOf<PrismaClient, Model>['payload']['scalars'] ? Result : AsJson<Result>
>;

type AsJson<Value> = unknown extends Value
  ? Value
  : Value extends { toJSON: () => infer Text }
    ? Text
    : undefined extends Value
      ? null
      : Value extends object
        ? { [Key in keyof Value]: AsJson<Value[Key]> }
        : Value;
