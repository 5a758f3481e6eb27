import type { BodyValidators } from '../surface/body-validator.js';
import { checkAll } from '../../errors/check-all.js';
import { checkChoice, checkList, checkName, checkNames, checkObject, checkString, mistyped } from '../check-option.js';
import { givenEntries } from '../given-entries.js';
import { PRISMA_OPERATORS } from '../surface/prisma-operators.js';
import type { ClientIds } from '../surface/surface.js';
import type { FieldPreset, ResourceSchema, SchemaField, SchemaModel } from '../schema/resource-schema.js';
import { checkComputed } from './computed-fields.js';
import type { FieldOption, ResourceOptions, ResourcesOption } from './resources-option.js';
import { ACTIONS, RIGHT_NAMES } from '../surface/rights.js';
import { isObject } from '../../utils/is-object.js';

/**
 * Checks every name in the option `resources` against the schema: a mistyped name must not leave open what it was meant to hide.
 * Options come from plain JavaScript and factories too, so what the types promise is checked as well.
 *
 * @throws ConfigurationError naming the place and what was probably meant
 */
export function checkResourcesOption(resources: ResourcesOption, { models }: ResourceSchema): void {
  checkObject('resources', resources, 'an object of options by model');
  checkAll(
    givenEntries(resources).map(([model, options]) => () => {
      if (model === '*') {
        checkChoice("resources['*']", options, ['hidden']);
        return;
      }
      checkName(model, { place: 'resources', known: Object.keys(models), kind: 'model of the schema', all: 'The models are' });
      const definition = models[model];
      if (definition && options !== 'hidden') checkOptions(`resources.${model}`, options, definition);
    }),
  );
}

const OPTION_NAMES: readonly (keyof ResourceOptions)[] = ['type', 'actions', 'externalId', 'clientIds', 'fields', 'computed', 'validate'];
const CLIENT_IDS: readonly ClientIds[] = ['forbidden', 'allowed', 'required'];
const PRESET_NAMES: readonly FieldPreset[] = ['hidden', 'readOnly', 'writeOnly', 'immutable'];
const VALIDATOR_NAMES: readonly (keyof BodyValidators)[] = ['create', 'update'];

function checkOptions(place: string, options: ResourceOptions, schema: SchemaModel): void {
  checkObject(place, options, "'hidden' or an object of options");
  const { type = '', externalId = '', clientIds = 'allowed', actions = [], validate = {}, fields = {}, computed = {} } = options;
  checkAll([
    () => {
      checkNames(options, { place, known: OPTION_NAMES, kind: 'option', all: 'The options are' });
    },
    () => {
      checkString(`${place}.type`, type);
    },
    () => {
      checkString(`${place}.externalId`, externalId);
    },
    () => {
      checkChoice(`${place}.clientIds`, clientIds, CLIENT_IDS);
    },
    () => {
      checkList(actions, { place: `${place}.actions`, known: ACTIONS, kind: 'action', all: 'The actions are' });
    },
    () => {
      checkValidators(`${place}.validate`, validate);
    },
    () => {
      checkFields(`${place}.fields`, fields, schema.fields);
    },
    () => {
      checkComputed(`${place}.computed`, computed, schema);
    },
  ]);
}

function checkValidators(place: string, validators: BodyValidators): void {
  checkNames(validators, { place, known: VALIDATOR_NAMES, kind: 'body', all: 'There are' });
  for (const [body, validator] of Object.entries(validators)) {
    if (!isValidator(validator)) throw mistyped(`${place}.${body}`, validator, 'a class or a Standard Schema');
  }
}

/** A Standard Schema may be a function itself (arktype). */
function isValidator(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || (isObject(value) && '~standard' in value);
}

function checkFields(place: string, options: NonNullable<ResourceOptions['fields']>, fields: SchemaModel['fields']): void {
  const checks = givenEntries(isObject(options) ? options : {}).map(([name, option]) => () => {
    const field = fields[name];
    if (field) checkFieldOption(`${place}.${name}`, option, field);
  });
  checkAll([
    () => {
      checkNames(options, { place, known: Object.keys(fields), kind: 'field of the model', all: 'Its fields are' });
    },
    ...checks,
  ]);
}

function checkFieldOption(place: string, option: FieldOption, { kind }: SchemaField): void {
  if (!isObject(option)) {
    checkChoice(place, option, PRESET_NAMES);
    return;
  }
  const { name = '', filter } = option;
  const rights = RIGHT_NAMES.map((right) => () => {
    const value: unknown = option[right];
    const isOperators = right === 'filter' && Array.isArray(value);
    if (value !== undefined && typeof value !== 'boolean' && !isOperators) throw mistyped(`${place}.${right}`, value, 'true or false');
  });
  checkAll([
    () => {
      checkNames(option, { place, known: ['name', ...RIGHT_NAMES], kind: 'right', all: 'A field has' });
    },
    () => {
      checkString(`${place}.name`, name);
    },
    () => {
      checkOperators(`${place}.filter`, filter, kind);
    },
    ...rights,
  ]);
}

function checkOperators(place: string, filter: unknown, kind: SchemaField['kind']): void {
  if (!Array.isArray(filter)) return;
  if (kind === 'relation') throw mistyped(place, filter, 'true or false: operators belong to the fields of the related model');
  checkList(filter, { place, known: PRISMA_OPERATORS, kind: 'filter operator', all: 'There are' });
}
