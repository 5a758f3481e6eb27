import type { RecordShape } from './record-shape.js';

/** The part of class-validator's ValidationMetadata that is read. */
export interface DecoratorMetadata {
  readonly propertyName: string;
  /** Of a decorator of class-validator's own, e.g. `minLength`. */
  readonly name?: string;
  readonly each: boolean;
  readonly constraints?: readonly unknown[];
}

/** The constraints of a DTO class's decorators, as far as JSON Schema can express them. */
export function classShape(decorators: readonly DecoratorMetadata[]): RecordShape {
  const fields = new Map<string, Readonly<Record<string, unknown>>>();
  const optional = new Set<string>();
  for (const decorator of decorators) {
    const { propertyName: name, each } = decorator;
    if (decorator.name === 'isOptional') optional.add(name);
    const keywords = each ? {} : keywordsOf(decorator);
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
