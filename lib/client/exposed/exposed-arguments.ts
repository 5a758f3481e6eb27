import type { Allows, Exposed, FieldsWith, FilterKey, Target } from './exposed-by.js';

/**
 * Prisma's arguments of an operation or of a selected relation, without what the API hides. It removes hidden fields and models from `where`,
 * `select`, `orderBy` and the like. It also removes unwritable fields from `data`, and nested writes whose action is not exposed.
 *
 * @typeParam Input the generated type, e.g. `Prisma.PostFindManyArgs`
 * @typeParam Right the right that a field needs in `data`
 */
export type ExposedArguments<
  Input,
  Shown extends Exposed,
  Model extends string,
  Right extends WriteRight = 'create',
> = Input extends readonly (infer Item)[]
  ? ExposedArguments<Item, Shown, Model, Right>[]
  : Input extends object
    ? { [Key in keyof Input]: ExposedArgument<Key, Input[Key], Shown, Model, Right> }
    : Input;

/** The rights that a field may need in `data`. */
export type WriteRight = 'create' | 'update';

type ExposedArgument<Key, Input, Shown extends Exposed, Model extends string, Right extends WriteRight> = Key extends
  'where' | 'cursor' | 'having'
  ? ExposedWhere<Input, Shown, Model>
  : Key extends 'select' | 'include'
    ? ExposedSelection<Input, Shown, Model>
    : Key extends 'orderBy'
      ? ExposedOrder<Input, Shown, Model>
      : Key extends 'data'
        ? ExposedData<Input, Shown, Model, Right>
        : Key extends 'create' | 'update'
          ? ExposedData<Input, Shown, Model, Key>
          : Key extends 'by' | 'distinct'
            ? ExposedNames<Input, FieldsWith<Shown, Model, 'read'>>
            : Key extends 'omit' | Aggregate
              ? Only<Input, FieldsWith<Shown, Model, 'read'> | '_all'>
              : Input;

type Aggregate = '_count' | '_avg' | '_sum' | '_min' | '_max';

/** An object with some of its keys. A type that is not an object is unchanged. */
type Only<Input, Names> = Input extends object ? { [Key in keyof Input as Key extends Names ? Key : never]: Input[Key] } : Input;

type ExposedNames<Input, Names> = Input extends readonly (infer Item)[] ? ExposedNames<Item, Names>[] : Extract<Input, Names | undefined>;

/** Conditions on fields, and those on related records (`is`, `some`, …), at any depth. */
type ExposedWhere<Input, Shown extends Exposed, Model extends string> = Input extends readonly (infer Item)[]
  ? ExposedWhere<Item, Shown, Model>[]
  : Input extends object
    ? [Exclude<RequiredKey<Input>, FilterKey<Shown, Model>>] extends [never]
      ? {
          [
            Key in keyof Input as Key extends FilterKey<Shown, Model> | Connective ? Key : never
          ]: Key extends keyof Shown[Model]['relations']
            ? ExposedWhere<Input[Key], Shown, Target<Shown, Model, Key>>
            : Key extends Connective
              ? ExposedWhere<Input[Key], Shown, Model>
              : Input[Key];
        }
      : never
    : Input;

type Connective = 'AND' | 'OR' | 'NOT' | 'is' | 'isNot' | 'some' | 'every' | 'none';

/** The keys that a type requires. A unique `where` is a union with one required key in each member; members with a hidden key are removed. */
type RequiredKey<Input> = { [Key in keyof Input]-?: object extends Pick<Input, Key> ? never : Key }[keyof Input];

type ExposedOrder<Input, Shown extends Exposed, Model extends string> = Input extends readonly (infer Item)[]
  ? ExposedOrder<Item, Shown, Model>[]
  : Input extends object
    ? {
        [
          Key in keyof Input as Key extends FieldsWith<Shown, Model, 'sort'> | Aggregate | '_relevance' ? Key : never
        ]: Key extends keyof Shown[Model]['relations']
          ? ExposedOrder<Input[Key], Shown, Target<Shown, Model, Key>>
          : Key extends Aggregate
            ? Only<Input[Key], FieldsWith<Shown, Model, 'sort'>>
            : Key extends '_relevance'
              ? ExposedRelevance<Input[Key], FieldsWith<Shown, Model, 'sort'>>
              : Input[Key];
      }
    : Input;

type ExposedRelevance<Input, Names> = Input extends object
  ? { [Key in keyof Input]: Key extends 'fields' ? ExposedNames<Input[Key], Names> : Input[Key] }
  : Input;

type ExposedSelection<Input, Shown extends Exposed, Model extends string> = Input extends object
  ? {
      [
        Key in keyof Input as Key extends FieldsWith<Shown, Model, 'read'> | '_count' | '_all' ? Key : never
      ]: Key extends keyof Shown[Model]['relations']
        ? ExposedArguments<Input[Key], Shown, Target<Shown, Model, Key>>
        : Key extends '_count'
          ? ExposedArguments<Input[Key], Shown, Model>
          : Input[Key];
    }
  : Input;

type ExposedData<Input, Shown extends Exposed, Model extends string, Right extends WriteRight> = Input extends readonly (infer Item)[]
  ? ExposedData<Item, Shown, Model, Right>[]
  : Input extends object
    ? {
        [Key in keyof Input as Key extends FieldsWith<Shown, Model, Right> ? Key : never]: Key extends keyof Shown[Model]['relations']
          ? ExposedWrites<Input[Key], Shown, Target<Shown, Model, Key>>
          : Input[Key];
      }
    : Input;

/** Prisma's nested writes, without those whose action is not exposed on the related model. */
type ExposedWrites<Input, Shown extends Exposed, Model extends string> = Input extends object
  ? {
      [Write in keyof Input as Allows<Shown, Model, ActionOf<Write>> extends true ? Write : never]: Write extends 'create'
        ? ExposedData<Input[Write], Shown, Model, 'create'>
        : Write extends 'update'
          ? ExposedUpdate<Input[Write], Shown, Model>
          : Write extends 'createMany' | 'connectOrCreate' | 'upsert'
            ? ExposedArguments<Input[Write], Shown, Model>
            : Write extends 'updateMany'
              ? ExposedArguments<Input[Write], Shown, Model, 'update'>
              : ExposedWhere<Input[Write], Shown, Model>;
    }
  : Input;

type ActionOf<Write> = Write extends 'create' | 'createMany' | 'connectOrCreate'
  ? 'create'
  : Write extends 'update' | 'updateMany'
    ? 'update'
    : Write extends 'upsert'
      ? 'create' | 'update'
      : Write extends 'delete' | 'deleteMany'
        ? 'delete'
        : never;

/** The argument of a nested `update`: `{ where, data }`, or for a to-one relation also the new data itself. */
type ExposedUpdate<Input, Shown extends Exposed, Model extends string> = Input extends readonly (infer Item)[]
  ? ExposedUpdate<Item, Shown, Model>[]
  : Input extends { readonly where: unknown; readonly data: unknown }
    ? ExposedArguments<Input, Shown, Model, 'update'>
    : Input extends object
      ? {
          [
            Key in keyof Input as Key extends FieldsWith<Shown, Model, 'update'> | 'where' | 'data' ? Key : never
          ]: Key extends keyof Shown[Model]['relations']
            ? ExposedWrites<Input[Key], Shown, Target<Shown, Model, Key>>
            : Key extends FieldsWith<Shown, Model, 'update'>
              ? Input[Key]
              : ExposedArgument<Key, Input[Key], Shown, Model, 'update'>;
        }
      : Input;
