import { ConfigurationError } from '../errors/configuration-error.js';
import { ACTIONS } from './exposure.js';
import { RIGHT_NAMES } from './field-rights.js';
import { FILTER_OPERATORS } from './filter-operators.js';
import { remedyFor } from './remedy-for.js';
import { type FieldPreset, type ResourceSchema, type SchemaField, type SchemaModel } from './resource-schema.js';
import { type FieldOption, type ResourceOptions, type ResourcesOption } from './resources-option.js';
import { type ClientIds } from './resource-model.js';

/**
 * Checks every name in the option `resources` against the schema: a mistyped name must not leave open what it was meant to hide.
 * Options come from plain JavaScript and factories too, so what the types promise is checked as well.
 *
 * @throws ConfigurationError naming the place and what was probably meant
 */
export function checkResourcesOption(resources: ResourcesOption, { models }: ResourceSchema): void {
  const names = Object.keys(models);
  for (const [model, options] of Object.entries(resources)) {
    if (options === undefined) continue;
    if (model === '*') {
      checkOneOf("resources['*']", options, ['hidden']);
      continue;
    }
    checkName(model, { place: 'resources', known: names, kind: 'model of the schema', all: 'The models are' });
    const definition = models[model];
    if (definition && options !== 'hidden') checkOptions(`resources.${model}`, options, definition);
  }
}

const OPTION_NAMES: readonly (keyof ResourceOptions)[] = ['type', 'actions', 'externalId', 'clientIds', 'fields', 'validate'];
const CLIENT_IDS: readonly ClientIds[] = ['forbidden', 'allowed', 'required'];
const PRESET_NAMES: readonly FieldPreset[] = ['hidden', 'readOnly', 'writeOnly', 'immutable'];
const FIELD_OPTION_NAMES: readonly string[] = ['name', ...RIGHT_NAMES];

function checkOptions(place: string, options: ResourceOptions, { fields }: SchemaModel): void {
  checkObject(place, options, "'hidden' or an object of options");
  for (const name of Object.keys(options)) checkName(name, { place, known: OPTION_NAMES, kind: 'option', all: 'The options are' });
  checkActions(`${place}.actions`, options.actions);
  if (options.clientIds !== undefined) checkOneOf(`${place}.clientIds`, options.clientIds, CLIENT_IDS);
  for (const [name, option] of Object.entries(options.fields ?? {})) {
    checkName(name, { place: `${place}.fields`, known: Object.keys(fields), kind: 'field of the model', all: 'Its fields are' });
    const field = fields[name];
    if (field && option !== undefined) checkFieldOption(`${place}.fields.${name}`, option, field);
  }
}

function checkActions(place: string, actions: ResourceOptions['actions']): void {
  if (actions === undefined) return;
  if (!Array.isArray(actions)) throw mistyped(place, `an array of ${quote(ACTIONS)}`);
  for (const action of actions as readonly string[]) checkName(action, { place, known: ACTIONS, kind: 'action', all: 'The actions are' });
}

function checkFieldOption(place: string, option: FieldOption, { kind }: SchemaField): void {
  if (typeof option === 'string') {
    checkOneOf(place, option, PRESET_NAMES);
    return;
  }
  checkObject(place, option, `${quote(PRESET_NAMES)}, or an object of rights`);
  for (const [name, value] of Object.entries(option)) {
    checkName(name, { place, known: FIELD_OPTION_NAMES, kind: 'right', all: 'A field has' });
    if (name !== 'name' && !Array.isArray(value) && typeof value !== 'boolean') throw mistyped(`${place}.${name}`, 'true or false');
  }
  if (Array.isArray(option.filter)) checkOperators(`${place}.filter`, option.filter, kind);
}

function checkOperators(place: string, operators: readonly string[], kind: SchemaField['kind']): void {
  if (kind === 'relation') throw mistyped(place, 'true or false: operators belong to the fields of the related model');
  for (const operator of operators) {
    checkName(operator, { place, known: FILTER_OPERATORS, kind: 'filter operator', all: 'The operators are' });
  }
}

interface Names {
  readonly place: string;
  readonly known: readonly string[];
  /** What the name should be one of. */
  readonly kind: string;
  /** Introduces the list of all of them. */
  readonly all: string;
}

function checkName(name: string, { place, known, kind, all }: Names): void {
  if (known.includes(name)) return;
  throw new ConfigurationError(`${place} names '${name}', which is no ${kind}.`, remedyFor(name, known, all));
}

function checkOneOf(place: string, value: unknown, known: readonly string[]): void {
  if (typeof value === 'string' && known.includes(value)) return;
  throw new ConfigurationError(`${place} is '${String(value)}'.`, remedyFor(String(value), known, 'It may be'));
}

function checkObject(place: string, value: unknown, expected: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw mistyped(place, expected);
}

function mistyped(place: string, expected: string): ConfigurationError {
  return new ConfigurationError(`${place} has a value that is none of its type.`, `Set it to ${expected}.`);
}

function quote(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
