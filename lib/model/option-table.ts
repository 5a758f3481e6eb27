import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { later } from '../utils/later.js';
import { checkNames, checkObject } from './check-option.js';

/** One option of the host's: its row in the table of its place. */
export interface Option<Value = unknown, Options = object, Context = undefined> {
  /** @throws ConfigurationError where the option may not be this, with a sentence that says what it may be */
  readonly check?: (place: string, value: unknown) => void;
  /** What stands for it where it is left out. */
  readonly fallback?: Value;
  /** The same, where that depends on the others or on what the table is read with. */
  readonly derived?: (given: Partial<Options>, context: Context) => Value;
  /** What to do where it is left out, of an option that has to be given. */
  readonly required?: string;
  /** Whether it decides routes: `forRootAsync` takes it, and its factory does not. */
  readonly decidesRoutes?: true;
}

/** All options of one place, each by its name. */
export type OptionTable<Options, Context = undefined> = {
  readonly [Name in keyof Required<Options>]: Option<Options[Name], Options, Context>;
};

/** A table of any options. */
export type AnyTable = Readonly<Record<string, Option<unknown, never, never>>>;

type FilledNames<Table> = {
  [Name in keyof Table]: Table[Name] extends { fallback: unknown } | { derived: unknown } | { required: string } ? Name : never;
}[keyof Table];

/** Options with what stands for those that are left out. */
export type Filled<Options, Table> = Options & {
  readonly [Name in FilledNames<Table> & keyof Options]-?: Exclude<Options[Name], undefined>;
};

/**
 * Fills in what stands for options that are left out. One that is undefined is left out.
 *
 * @param given checked against the table
 * @param context what fallbacks may depend on beside the options themselves
 */
export function fillOptions<Options extends object, Context, Table extends OptionTable<Options, Context>>(
  given: Options,
  table: Table & OptionTable<NoInfer<Options>, Context>,
  context: Context,
): Filled<Options, Table> {
  const filled = Object.entries<Option<unknown, Options, Context>>(table).flatMap(([name, { fallback, derived }]) => {
    const value: unknown = Reflect.get(given, name) ?? fallback ?? derived?.(given, context);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(filled) as Filled<Options, Table>;
}

/** @throws ConfigurationError with all that is wrong with the names and values of options */
export function checkTable(place: string, given: unknown, table: AnyTable): asserts given is object {
  checkObject(place, given, 'an object');
  checkAll([later(checkOptionNames, place, given, table), later(checkValues, place, given, table)]);
}

/** @throws ConfigurationError where an option is none of the table: a mistyped one would be as good as absent */
export function checkOptionNames(place: string, given: unknown, table: object): void {
  checkNames(given, { place, known: Object.keys(table), kind: 'option here', all: 'The options are' });
}

/**
 * Checks the values, whatever other names there are.
 *
 * @throws ConfigurationError with all that is wrong with them
 */
export function checkValues(place: string, given: object, table: AnyTable): void {
  const of = place === '' ? '' : `${place}.`;
  checkAll(Object.entries(table).map(([name, option]) => later(checkValue, of + name, Reflect.get(given, name), option)));
}

function checkValue(place: string, value: unknown, { check, required }: Option<unknown, never, never>): void {
  if (value !== undefined) check?.(place, value);
  else if (required !== undefined) throw new ConfigurationError(`The option '${place}' is missing.`, required);
}

/** The options that decide routes. */
export function ofRoutes(table: AnyTable): AnyTable {
  return Object.fromEntries(Object.entries(table).filter(([, { decidesRoutes }]) => decidesRoutes));
}

/** The options that may come from a factory. */
export function ofFactory(table: AnyTable): AnyTable {
  return Object.fromEntries(Object.entries(table).filter(([, { decidesRoutes }]) => !decidesRoutes));
}
