import type { Exposure } from './exposure.js';
import type { SchemaField } from '../schema/resource-schema.js';
import { serverValueOf } from './field-rights.js';
import { ownOption } from './own-option.js';
import type { Resource, RequiredMembers, Attribute } from '../surface/surface.js';

/**
 * Returns a warning for each model with the action `create` and a required field that has no default and that no request can set. Such
 * creates fail unless the data client sets the field (`$extends`).
 * Hidden fields are counted and not named, because logs may be shared.
 */
export function findUnfillable(exposures: Iterable<Exposure>): readonly string[] {
  return [...exposures].flatMap((exposure) => {
    const fields = exposure.actions.has('create') ? unfillableFields(exposure) : [];
    return fields.length > 0 ? [warningOf(exposure, fields)] : [];
  });
}

function unfillableFields(exposure: Exposure): readonly string[] {
  const { fields } = exposure.schema;
  return Object.keys(fields).filter((name) => isRequired(fields[name]) && !isFilled(name, exposure));
}

function warningOf({ model, rights }: Exposure, fields: readonly string[]): string {
  const shown = fields.filter((name) => rights.has(name)).map((name) => `'${name}'`);
  const hidden = fields.length - shown.length;
  const names = [...shown, ...(hidden > 0 ? [`${hidden} hidden`] : [])].join(', ');
  const problem = `Creating a '${model}' fails unless your data client fills in required fields that have no default and may not be sent (${names}).`;
  return `${problem} Open them in resources.${model}.fields, or leave 'create' out of resources.${model}.actions.`;
}

function isRequired(field: SchemaField | undefined): boolean {
  if (!field || field.kind === 'relation') return false;
  return field.optional !== true && field.list !== true && field.default === undefined && field.updatedAt !== true;
}

/**
 * Whether a create can set a field: by the field itself, a server value, or a relation with this foreign key. A validator of the
 * application may also add values of exposed fields.
 */
function isFilled(name: string, { schema, options, rights }: Exposure): boolean {
  const own = rights.get(name);
  if (serverValueOf(ownOption(options.fields, name))?.create) return true;
  if (own?.create === true || (own && options.validate?.create)) return true;
  return Object.entries(schema.fields).some(([relation, field]) => {
    return field.kind === 'relation' && field.foreignKey?.fields.includes(name) === true && rights.get(relation)?.create === true;
  });
}

type Members = Pick<Resource, 'attributes' | 'relationships' | 'clientIds' | 'identifier'>;

/** Returns the members that a create must contain, computed once at boot. Required fields that clients may not write are left to the application. */
export function requiredMembers({ attributes, relationships, clientIds, identifier }: Members): RequiredMembers {
  const isRequired = ({ hasDefault, rights }: Attribute): boolean => !hasDefault && rights.create;
  const isRequiredId = ({ name }: Attribute): boolean => clientIds === 'required' && identifier.fields.some((field) => field.name === name);
  return Object.freeze({
    attributes: Object.freeze(attributes.filter(isRequired)),
    inDocument: Object.freeze(attributes.filter((attribute) => isRequired(attribute) || isRequiredId(attribute))),
    relationships: Object.freeze(relationships.filter(({ link, optional, rights }) => link === 'own-key' && !optional && rights.create)),
  });
}
