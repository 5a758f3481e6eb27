import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { later } from '../utils/later.js';
import { checkNames, checkObject } from './check-option.js';

/** The definition of one option: its row in an option table. */
export interface Option<Value = unknown, Options = object, Context = undefined> {
  /** @throws ConfigurationError for an invalid value, with the valid ones */
  readonly check?: (place: string, value: unknown) => void;
  /** The default. */
  readonly fallback?: Value;
  /** Returns the default where it depends on other options or on the context. */
  readonly derived?: (given: Partial<Options>, context: Context) => Value;
  /** The remedy in the error message when a required option is missing. */
  readonly required?: string;
  /** Whether the option decides routes. Such options are passed to `forRootAsync` itself, and not returned by its factory. */
  readonly decidesRoutes?: true;
}

/** The definitions of all options of one place, by name. */
export type OptionTable<Options, Context = undefined> = {
  readonly [Name in keyof Required<Options>]: Option<Options[Name], Options, Context>;
};

/** A table of any options. */
export type AnyTable = Readonly<Record<string, Option<unknown, never, never>>>;

type FilledNames<Table> = {
  [Name in keyof Table]: Table[Name] extends { fallback: unknown } | { derived: unknown } | { required: string } ? Name : never;
}[keyof Table];

/** Options with their defaults filled in. */
export type Filled<Options, Table> = Options & {
  readonly [Name in FilledNames<Table> & keyof Options]-?: Exclude<Options[Name], undefined>;
};

/**
 * Fills in the defaults of options that are absent or undefined.
 *
 * @param given options that have been checked against the table
 * @param context values besides the options that defaults may depend on
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

/**
 * Checks the names and values of options.
 *
 * @throws ConfigurationError with all problems
 */
export function checkTable(place: string, given: unknown, table: AnyTable): asserts given is object {
  checkObject(place, given, 'an object');
  checkAll([later(checkOptionNames, place, given, table), later(checkValues, place, given, table)]);
}

/**
 * Rejects names that are not in the table, because a misspelled option would have no effect.
 *
 * @throws ConfigurationError
 */
export function checkOptionNames(place: string, given: unknown, table: object): void {
  checkNames(given, { place, known: Object.keys(table), kind: 'option here', all: 'The options are' });
}

/**
 * Checks the values of the options in the table, and ignores other names.
 *
 * @throws ConfigurationError with all problems
 */
export function checkValues(place: string, given: object, table: AnyTable): void {
  const of = place === '' ? '' : `${place}.`;
  checkAll(Object.entries(table).map(([name, option]) => later(checkValue, of + name, Reflect.get(given, name), option)));
}

function checkValue(place: string, value: unknown, { check, required }: Option<unknown, never, never>): void {
  if (value !== undefined) check?.(place, value);
  else if (required !== undefined) throw new ConfigurationError(`The option '${place}' is missing.`, required);
}

/** Returns the options that decide routes. */
export function ofRoutes(table: AnyTable): AnyTable {
  return Object.fromEntries(Object.entries(table).filter(([, { decidesRoutes }]) => decidesRoutes));
}

/** Returns the options that a factory may return. */
export function ofFactory(table: AnyTable): AnyTable {
  return Object.fromEntries(Object.entries(table).filter(([, { decidesRoutes }]) => !decidesRoutes));
}
