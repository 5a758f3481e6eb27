import { checkAll } from '../../errors/check-all.js';
import { ConfigurationError } from '../../errors/configuration-error.js';
import { checkNames, mistyped } from '../check-option.js';
import type { SchemaField } from '../schema/resource-schema.js';
import { isGranted } from './granted.js';
import type { FieldRightsOption, ServerValueOption } from './resources-option.js';

const WRITES: readonly (keyof ServerValueOption)[] = ['create', 'update'];

/**
 * Checks `value` of a field's option: functions for one or both of the writes, on a field that the server can set and clients cannot.
 *
 * @throws ConfigurationError
 */
export function checkServerValue(place: string, { value, ...rights }: FieldRightsOption, field: SchemaField): void {
  const given: object = value ?? {};
  checkNames(given, { place: `${place}.value`, known: WRITES, kind: 'write', all: 'The writes are' });
  const opened = WRITES.find((write) => rights[write] === true || isGranted(rights[write]));
  checkAll([
    ...Object.entries(given).map(([write, make]: readonly [string, unknown]) => () => {
      if (make !== undefined && typeof make !== 'function') throw mistyped(`${place}.value.${write}`, make, 'a function of the request');
    }),
    () => {
      if (!Object.values(given).some(Boolean))
        throw new ConfigurationError(`${place}.value sets nothing.`, 'Give it create, update or both.');
    },
    () => {
      if (opened !== undefined)
        throw new ConfigurationError(
          `${place} opens '${opened}', and the server sets the field (value).`,
          `Remove '${opened}' or 'value'.`,
        );
    },
    () => {
      requireSettable(place, field);
    },
  ]);
}

function requireSettable(place: string, field: SchemaField): void {
  if (field.kind === 'relation') {
    const remedy = field.foreignKey ? `Give it to its foreign key (${field.foreignKey.fields.join(', ')}).` : 'Give it to the foreign key.';
    throw new ConfigurationError(`${place}.value is for plain fields, and this is a relation.`, remedy);
  }
  // The database generates an `autoincrement` field, and Prisma does not accept it in a create with relations.
  if (field.default?.kind === 'function' && field.default.name === 'autoincrement')
    throw new ConfigurationError(`${place}.value sets what the database counts itself.`, "Remove 'value'.");
}
