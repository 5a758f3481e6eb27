import { ConfigurationError } from '../errors/configuration-error.js';
import type { DtoClass } from '../model/surface/body-validator.js';
import type { Fault, RecordAction, RecordCheck, RecordShape, RecordValues } from './record-check.js';

/** The functions of class-validator and class-transformer that this package calls. Both are optional peer dependencies. */
export interface ClassLibraries {
  readonly plainToInstance: (type: DtoClass, plain: object) => object;
  readonly validate: (
    instance: object,
    options: { readonly groups: string[]; readonly always: boolean; readonly forbidUnknownValues: boolean },
  ) => Promise<readonly ClassError[]>;
  readonly getMetadataStorage: () => { readonly getTargetValidationMetadatas: MetadataLookup };
}

type LookupArguments = [type: DtoClass, schema: string, always: boolean, strictGroups: boolean, groups: string[]];
type MetadataLookup = (...args: LookupArguments) => readonly DecoratorMetadata[];

/** The members of class-validator's `ValidationError` that this package reads. */
interface ClassError {
  /** Undefined if the whole instance is rejected, although class-validator's type requires it. */
  readonly property?: string;
  readonly constraints?: Readonly<Record<string, string>>;
  readonly children?: readonly ClassError[];
}

/** A DTO class of the options, and its place in them. */
export interface GivenClass {
  readonly type: DtoClass;
  /** The decorator group that runs in addition to decorators without a group. */
  readonly action: RecordAction | (string & {});
  /** The path of the option, for errors: `resources.User.validate.create`. */
  readonly place: string;
  /** Whether the shape has the types of members. Those of a record's fields are defined by the model. */
  readonly hasTypes?: true;
}

/**
 * Returns a check by a DTO class. class-transformer creates an instance (nested ones by `@Type`), and class-validator validates it. The client's
 * values are written, not those of the instance. Decorators run that have no group, or the group that is named like the action.
 *
 * @throws ConfigurationError for a class on which no decorator would run
 */
export function classCheck({ type, action, place, hasTypes }: GivenClass, libraries: ClassLibraries): RecordCheck {
  const groups = [action];
  const decorators = libraries.getMetadataStorage().getTargetValidationMetadatas(type, '', true, false, groups);
  if (decorators.length === 0) {
    throw new ConfigurationError(
      `${place} is '${type.name}', on which no decorator of class-validator runs for '${action}'.`,
      'Decorate its properties; if they are, make sure that one copy of class-validator is installed.',
    );
  }
  return {
    check: async (values) => {
      const instance = toInstance(type, values, libraries);
      const errors = await libraries.validate(instance, { groups: [...groups], always: true, forbidUnknownValues: true });
      return errors.length === 0 ? { values } : { faults: errors.flatMap((error) => faultsOf(error, [])) };
    },
    shape: () => classShape(decorators, hasTypes ? TYPES : NO_TYPES),
  };
}

/** Creates an instance of a DTO class. Bytes and decimals are assigned as they are, because class-transformer would decompose them. */
function toInstance(type: DtoClass, values: RecordValues, { plainToInstance }: ClassLibraries): object {
  const entries = Object.entries(values);
  const instance = plainToInstance(type, Object.fromEntries(entries.filter(([, value]) => isPlainData(value))));
  return Object.assign(instance, Object.fromEntries(entries.filter(([, value]) => !isPlainData(value))));
}

function faultsOf({ property, constraints = {}, children }: ClassError, parents: Fault['path']): readonly Fault[] {
  const path = property === undefined ? parents : [...parents, property];
  const own = Object.values(constraints).map((message) => ({ path, message }));
  return [...own, ...(children ?? []).flatMap((child) => faultsOf(child, path))];
}

/** The members of class-validator's `ValidationMetadata` that this package reads. */
interface DecoratorMetadata {
  readonly propertyName: string;
  /** The name of a built-in decorator of class-validator, e.g. `minLength`. */
  readonly name?: string;
  readonly each: boolean;
  readonly constraints?: readonly unknown[];
}

/** Returns the decorators of a DTO class as keywords of JSON Schema. Decorators that JSON Schema cannot express are left out. */
function classShape(decorators: readonly DecoratorMetadata[], types: ReadonlyMap<string, Keywords>): RecordShape {
  const fields = new Map<string, Readonly<Record<string, unknown>>>();
  const optional = new Set<string>();
  for (const decorator of decorators) {
    const { propertyName: name, each } = decorator;
    if (decorator.name === 'isOptional') optional.add(name);
    const keywords = each ? {} : { ...types.get(decorator.name ?? ''), ...keywordsOf(decorator) };
    fields.set(name, { ...fields.get(name), ...keywords });
  }
  return { fields, required: new Set([...fields.keys()].filter((name) => !optional.has(name))) };
}

type Keywords = Readonly<Record<string, unknown>>;

function keywordsOf({ name = '', constraints = [] }: DecoratorMetadata): Keywords {
  return DECORATORS.get(name)?.(constraints) ?? {};
}

const DECORATORS: ReadonlyMap<string, (constraints: readonly unknown[]) => Keywords> = new Map<
  string,
  (constraints: readonly unknown[]) => Keywords
>([
  ['minLength', ([minLength]) => ({ minLength })],
  ['maxLength', ([maxLength]) => ({ maxLength })],
  ['isLength', ([minLength, maxLength]) => ({ minLength, ...(maxLength !== undefined && { maxLength }) })],
  ['isNotEmpty', () => ({ minLength: 1 })],
  ['min', ([minimum]) => ({ minimum })],
  ['max', ([maximum]) => ({ maximum })],
  ['isPositive', () => ({ exclusiveMinimum: 0 })],
  ['isDivisibleBy', ([multipleOf]) => ({ multipleOf })],
  ['isIn', ([values]) => ({ enum: values })],
  ['matches', ([pattern]) => (pattern instanceof RegExp && pattern.flags === '' ? { pattern: pattern.source } : {})],
  ['isEmail', () => ({ format: 'email' })],
  ['isUrl', () => ({ format: 'uri' })],
  ['isUuid', () => ({ format: 'uuid' })],
  ['arrayMinSize', ([minItems]) => ({ minItems })],
  ['arrayMaxSize', ([maxItems]) => ({ maxItems })],
  ['arrayUnique', () => ({ uniqueItems: true })],
]);

/** The types that decorators require. */
const TYPES: ReadonlyMap<string, Keywords> = new Map([
  ['isString', { type: 'string' }],
  ['isEmail', { type: 'string' }],
  ['isDateString', { type: 'string' }],
  ['isInt', { type: 'integer' }],
  ['isNumber', { type: 'number' }],
  ['isBoolean', { type: 'boolean' }],
  ['isArray', { type: 'array' }],
  ['isObject', { type: 'object' }],
]);

const NO_TYPES: ReadonlyMap<string, Keywords> = new Map();

/** Whether a value is plain data at every depth: scalars, dates, and arrays and objects of them. */
function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Date) return true;
  if (Array.isArray(value)) return value.every(isPlainData);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isPlainData);
}

/**
 * Loads class-transformer and class-validator. Called at boot, and only if the application uses a DTO class.
 *
 * @throws what `import` throws if they are not installed
 */
export async function loadClassLibraries(): Promise<ClassLibraries> {
  const [{ plainToInstance }, { validate, getMetadataStorage }] = await Promise.all([
    import('class-transformer'),
    import('class-validator'),
  ]);
  return { plainToInstance, getMetadataStorage, validate: (instance, options) => validate(instance, options) };
}
