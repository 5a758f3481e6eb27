import type { ExposedCall } from './exposed-delegate.js';
import type { TypesOf } from './exposed-row.js';

/**
 * The calls of a host's own actions: `api.task.complete({ where: { id: 1 }, args: { note: 'Done' } })`.
 *
 * @typeParam Actions the classes with `@ResourceActions`, by Prisma's names of their models: `{ Task: TaskActions }`. Their types alone: no code of the server is loaded
 */
export type OwnCalls<PrismaClient, Actions> = {
  readonly [Model in keyof Actions & string as Uncapitalize<Model>]: CallsOf<PrismaClient, Model, Actions[Model]>;
};

/** Public methods are its actions. */
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

/** The record that the action is about; none for one on the collection. */
interface ActionKey<PrismaClient, Model extends string> {
  readonly where?: UniqueWhere<PrismaClient, Model>;
}

type UniqueWhere<PrismaClient, Model extends string> = TypesOf<PrismaClient, Model>['operations'] extends {
  readonly findUnique: { readonly args: { where: infer Where } };
}
  ? Where
  : never;

/** A record of the model comes as its row, null where the caller may not read it, anything else as JSON has it. */
type AnswerOf<PrismaClient, Model extends string, Result> = ExposedCall<
  Result extends TypesOf<PrismaClient, Model>['payload']['scalars'] ? Result | null : AsJson<Result>
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
