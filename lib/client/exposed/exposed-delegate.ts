import type { RPC_OPERATIONS, RpcOperationName } from '../../rpc/rpc-operations.js';
import type { Exact } from './exact.js';
import type { ExposedArguments, WriteRight } from './exposed-arguments.js';
import type { Exposed } from './exposed-by.js';
import type { FieldsWith, Target } from './exposed-names.js';
import type { ExposedRow, Related, TypesOf } from './exposed-row.js';

/** The operations of one model that its actions open and its database has, with the arguments and results that the API shows. */
export type ExposedDelegate<PrismaClient, Shown extends Exposed, Model extends string> = Pick<
  ExposedOperations<PrismaClient, Shown, Model>,
  OpenOperation<Shown[Model]['actions']> & keyof TypesOf<PrismaClient, Model>['operations']
>;

/** `restore`, where a model keeps what is deleted: for whoever may delete. */
export type Restoring<PrismaClient, Shown extends Exposed, Model extends string> = Shown[Model] extends {
  readonly restores: true;
  readonly actions: infer Actions;
}
  ? 'delete' extends Actions
    ? { restore(args: KeyOf<ExposedInput<PrismaClient, Shown, Model, 'findUnique'>>): RestoredCall<PrismaClient, Shown, Model> }
    : unknown
  : unknown;

type KeyOf<Input> = Input extends { readonly where: infer Where } ? { readonly where: Where } : never;

type RestoredCall<PrismaClient, Shown extends Exposed, Model extends string> = ExposedCall<ExposedRow<
  PrismaClient,
  Shown,
  Model,
  object
> | null>;

type OpenOperation<Actions> = {
  [Name in RpcOperationName]: [(typeof RPC_OPERATIONS)[Name]['actions'][number]] extends [Actions] ? Name : never;
}[RpcOperationName];

/** A call that is sent when it is first awaited; `$transaction` takes it too. */
export interface ExposedCall<Result> extends Promise<Result> {
  readonly [Symbol.toStringTag]: 'PrismaPromise';
}

/** A call for one record, with Prisma's fluent methods: each reads a relation of it alone. */
export type ExposedRecordCall<PrismaClient, Shown extends Exposed, Model extends string, Row, Missing = never> = ExposedCall<Row> & {
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

/** What Prisma lets a fluent method take: the arguments of the relation in an `include`. */
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
export type ExposedInput<PrismaClient, Shown extends Exposed, Model extends string, Name extends RpcOperationName> = ExposedArguments<
  InputOf<PrismaClient, Model, Name>,
  Shown,
  Model,
  Name extends `update${string}` ? Extract<WriteRight, 'update'> : Extract<WriteRight, 'create'>
>;

type Row<PrismaClient, Shown extends Exposed, Model extends string, Args> = ExposedRow<PrismaClient, Shown, Model, Args>;

interface Affected {
  count: number;
}

/** Operations on one record, which must exist after them or before them. */
type OnRecord<P, S extends Exposed, M extends string> = {
  [Name in 'findUniqueOrThrow' | 'create' | 'update' | 'upsert' | 'delete']: <A extends ExposedInput<P, S, M, Name>>(
    args: A & Exact<A, ExposedInput<P, S, M, Name>>,
  ) => ExposedRecordCall<P, S, M, Row<P, S, M, A>>;
};

/** Writes of many records that count them. */
type OnMany<P, S extends Exposed, M extends string> = {
  [Name in 'createMany' | 'updateMany' | 'deleteMany']: <A extends ExposedInput<P, S, M, Name>>(
    args: A & Exact<A, ExposedInput<P, S, M, Name>>,
  ) => ExposedCall<Affected>;
};

/** Writes of many records that return them. */
type OnManyAndReturn<P, S extends Exposed, M extends string> = {
  [Name in 'createManyAndReturn' | 'updateManyAndReturn']: <A extends ExposedInput<P, S, M, Name>>(
    args: A & Exact<A, ExposedInput<P, S, M, Name>>,
  ) => ExposedCall<Row<P, S, M, A>[]>;
};

/** The signatures of all operations, as Prisma's client has them. */
interface ExposedOperations<P, S extends Exposed, M extends string> extends OnRecord<P, S, M>, OnMany<P, S, M>, OnManyAndReturn<P, S, M> {
  findMany<A extends ExposedInput<P, S, M, 'findMany'>>(
    args?: A & Exact<A, ExposedInput<P, S, M, 'findMany'>>,
  ): ExposedCall<Row<P, S, M, A>[]>;
  findUnique<A extends ExposedInput<P, S, M, 'findUnique'>>(
    args: A & Exact<A, ExposedInput<P, S, M, 'findUnique'>>,
  ): ExposedRecordCall<P, S, M, Row<P, S, M, A> | null, null>;
  findFirst<A extends ExposedInput<P, S, M, 'findFirst'>>(
    args?: A & Exact<A, ExposedInput<P, S, M, 'findFirst'>>,
  ): ExposedRecordCall<P, S, M, Row<P, S, M, A> | null, null>;
  findFirstOrThrow<A extends ExposedInput<P, S, M, 'findFirstOrThrow'>>(
    args?: A & Exact<A, ExposedInput<P, S, M, 'findFirstOrThrow'>>,
  ): ExposedRecordCall<P, S, M, Row<P, S, M, A>>;
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

/** What Prisma asks of groups: ordered by what they are grouped by, and ordered at all where they are counted off. */
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
