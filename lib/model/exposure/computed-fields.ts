import { ConfigurationError } from '../../errors/configuration-error.js';
import { checkAll } from '../../errors/check-all.js';
import { checkObject } from '../check-option.js';
import { givenEntries } from '../given-entries.js';
import type { SchemaModel } from '../schema/resource-schema.js';
import { SCALAR_TYPE_NAMES, scalarTypeOf } from '../schema/scalar-type-names.js';
import type { Attribute, ClosedRights, Rights } from '../surface/surface.js';
import type { ExposedModel } from './exposed-model.js';
import { CLOSED } from './field-rights.js';
import type { ComputedFields } from './resources-option.js';

/**
 * Checks the option `computed` of a model. A computed field may not have the name of a field of the schema, because it would expose that
 * field even where it is hidden.
 *
 * @throws ConfigurationError for an invalid name or type
 */
export function checkComputed(place: string, computed: ComputedFields, schema: Pick<SchemaModel, 'fields' | 'ignored'>): void {
  checkObject(place, computed, "an object of types by name, such as { fullName: 'String' }");
  const taken = new Set([...Object.keys(schema.fields), ...Object.keys(schema.ignored ?? {})]);
  checkAll(
    givenEntries<unknown>(computed).map(([name, type]) => () => {
      if (taken.has(name))
        throw new ConfigurationError(`${place} names '${name}', which is a field of the schema.`, 'Give it another name.');
      if (!NAME.test(name) || RESERVED.has(name)) {
        throw new ConfigurationError(`${place} names '${name}', which no computed field may be called.`, LEGAL_NAME);
      }
      if (typeof type !== 'string' || !readType(type)) {
        throw new ConfigurationError(`${place}.${name} is '${String(type)}', which is no type of a computed field.`, LEGAL_TYPE);
      }
    }),
  );
}

/** The form of Prisma's field names. `_count` and the like are reserved by Prisma. */
const NAME = /^[a-z]\w*$/i;

const RESERVED: ReadonlySet<string> = new Set(['id', 'type']);

const LEGAL_NAME = "Start it with a letter, and use letters, digits and '_'. 'id' and 'type' are reserved.";

/** Returns the names of a model's computed fields, in the order of the option. */
export function computedNames({ options }: Pick<ExposedModel, 'options'>): readonly string[] {
  return givenEntries(options.computed ?? {}).map(([name]) => name);
}

/** Builds the computed fields of a model as frozen, read-only attributes. They are not in the database. */
export function buildComputed({ model, options }: Pick<ExposedModel, 'model' | 'options'>): readonly Attribute[] {
  return givenEntries(options.computed ?? {}).flatMap(([name, written]) => {
    const type = readType(written);
    return type ? [Object.freeze({ ...COMPUTED, ...type, model, name, member: name })] : [];
  });
}

const READ_ONLY: Rights = Object.freeze({ ...CLOSED, read: true });

const REASONS: ClosedRights = Object.freeze({ filter: 'computed', sort: 'computed', create: 'computed', update: 'computed' });

const COMPUTED = {
  kind: 'attribute',
  rights: READ_ONLY,
  closed: REASONS,
  primaryKey: 'no',
  hasDefault: true,
  generated: true,
  foreignKeyOf: Object.freeze([]),
  computed: true,
} as const;

type WrittenType = Pick<Attribute, 'type' | 'optional' | 'list'>;

/** Parses a type in the notation of the Prisma schema: `String`, `String?` or `String[]`. */
function readType(written: string): WrittenType | undefined {
  const { name = '', suffix = '' } = /^(?<name>[A-Za-z]+)(?<suffix>\?|\[\])?$/.exec(written)?.groups ?? {};
  const type = scalarTypeOf(name);
  return type && { type, optional: suffix === '?', list: suffix === '[]' };
}

const LEGAL_TYPE = `Set it to one of ${SCALAR_TYPE_NAMES.join(', ')}, followed by '?' where it may be null, or by '[]' for a list.`;
