import type { BodyValidators } from '../surface/body-validator.js';
import { checkAll } from '../../errors/check-all.js';
import { checkChoice, checkList, checkName, checkNames, checkObject, checkString, mistyped } from '../check-option.js';
import { givenEntries } from '../given-entries.js';
import { PRISMA_OPERATORS } from '../surface/prisma-operators.js';
import type { ClientIds } from '../surface/surface.js';
import type { FieldPreset, ResourceSchema, SchemaField, SchemaModel } from '../schema/resource-schema.js';
import { checkServerValue } from './check-server-value.js';
import { checkComputed } from './computed-fields.js';
import { ConfigurationError } from '../../errors/configuration-error.js';
import { grantsNamed, isGranted } from './granted.js';
import type { FieldOption, ResourceOptions, ResourcesOption } from './resources-option.js';
import { ACTIONS, RIGHT_NAMES } from '../surface/rights.js';
import { isObject } from '../../utils/is-object.js';
import { checkSoftDelete } from './soft-delete.js';
import { checkOpenVersion } from './version-field.js';

/**
 * Checks every name in the option `resources` against the schema, because a misspelled name would leave a model or field exposed.
 * Types are checked at run time as well, because options may come from plain JavaScript or from a factory.
 *
 * @param grants the names of the option `grants`; undefined where they are not available
 * @throws ConfigurationError with the place of the fault and the most similar valid name
 */
export function checkResourcesOption(resources: ResourcesOption, schema: ResourceSchema, grants?: readonly string[]): void {
  const { models } = schema;
  checkObject('resources', resources, 'an object of options by model');
  checkAll(
    givenEntries(resources).map(([model, options]) => () => {
      if (model === '*') {
        checkChoice("resources['*']", options, ['hidden']);
        return;
      }
      checkName(model, { place: 'resources', known: Object.keys(models), kind: 'model of the schema', all: 'The models are' });
      const definition = models[model];
      if (!definition || options === 'hidden') return;
      checkAll([
        () => {
          checkOptions(`resources.${model}`, options, { schema: definition, grants });
        },
        () => {
          if (isObject(options)) checkSoftDelete(options, { model, schema, resources, grants });
        },
      ]);
    }),
  );
}

const OPTION_NAMES: readonly (keyof ResourceOptions)[] = [
  'type',
  'actions',
  'externalId',
  'clientIds',
  'version',
  'concurrency',
  'pagination',
  'softDelete',
  'fields',
  'computed',
  'validate',
];
const CONCURRENCIES: readonly NonNullable<ResourceOptions['concurrency']>[] = ['offered', 'required'];
const PAGINATIONS: readonly NonNullable<ResourceOptions['pagination']>[] = ['offset', 'cursor'];
const CLIENT_IDS: readonly ClientIds[] = ['forbidden', 'allowed', 'required'];
const PRESET_NAMES: readonly FieldPreset[] = ['hidden', 'readOnly', 'writeOnly', 'immutable'];
const VALIDATOR_NAMES: readonly (keyof BodyValidators)[] = ['create', 'update'];

/** The names that options may contain. */
interface Nameable {
  readonly schema: SchemaModel;
  readonly grants: readonly string[] | undefined;
}

function checkOptions(place: string, options: ResourceOptions, { schema, grants }: Nameable): void {
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
      if (options.version !== undefined) checkString(`${place}.version`, options.version);
    },
    () => {
      if (options.concurrency !== undefined) checkChoice(`${place}.concurrency`, options.concurrency, CONCURRENCIES);
    },
    () => {
      if (options.pagination !== undefined) checkChoice(`${place}.pagination`, options.pagination, PAGINATIONS);
    },
    () => {
      checkActions(`${place}.actions`, actions, grants);
    },
    () => {
      checkValidators(`${place}.validate`, validate);
    },
    () => {
      checkFields(`${place}.fields`, fields, { schema, grants });
      checkOpenVersion(place, schema, options);
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

/** Whether a value is a validator. A Standard Schema may also be a function (arktype). */
function isValidator(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || (isObject(value) && '~standard' in value);
}

/** Checks the actions: a list of allowed actions, or an object with a right for each action. */
function checkActions(place: string, actions: unknown, grants: Nameable['grants']): void {
  const names = { place, known: ACTIONS, kind: 'action', all: 'The actions are' };
  if (!isObject(actions) || Array.isArray(actions)) {
    checkList(actions, names);
    return;
  }
  checkNames(actions, names);
  checkAll(
    givenEntries<unknown>(actions).map(([action, right]) => () => {
      checkRight(`${place}.${action}`, right, grants);
    }),
  );
}

function checkRight(place: string, right: unknown, known: Nameable['grants']): void {
  if (isGranted(right)) checkGrants(place, grantsNamed(right), known);
  else if (typeof right !== 'boolean') throw mistyped(place, right, 'true or false');
}

function checkGrants(place: string, names: readonly string[], known: Nameable['grants']): void {
  if (names.length === 0) throw new ConfigurationError(`${place} is granted(), which names no grant.`, "Name one: granted('admin').");
  if (known === undefined) return;
  checkAll(
    names.map((name) => () => {
      checkName(name, { place, known, kind: 'grant', all: 'The option grants has' });
    }),
  );
}

function checkFields(place: string, options: NonNullable<ResourceOptions['fields']>, { schema: { fields }, grants }: Nameable): void {
  const checks = givenEntries(isObject(options) ? options : {}).map(([name, option]) => () => {
    const field = fields[name];
    if (field) checkFieldOption(`${place}.${name}`, option, { field, grants });
  });
  checkAll([
    () => {
      checkNames(options, { place, known: Object.keys(fields), kind: 'field of the model', all: 'Its fields are' });
    },
    ...checks,
  ]);
}

interface NameableOfField extends Pick<Nameable, 'grants'> {
  readonly field: SchemaField;
}

function checkFieldOption(place: string, option: FieldOption, { field, grants }: NameableOfField): void {
  const { kind } = field;
  if (!isObject(option)) {
    checkChoice(place, option, PRESET_NAMES);
    return;
  }
  const { name = '', filter, value } = option;
  const rights = RIGHT_NAMES.map((right) => () => {
    const value: unknown = option[right];
    const isOperators = right === 'filter' && Array.isArray(value);
    if (value !== undefined && !isOperators) checkRight(`${place}.${right}`, value, grants);
  });
  checkAll([
    () => {
      checkNames(option, { place, known: ['name', ...RIGHT_NAMES, 'value'], kind: 'right', all: 'A field has' });
    },
    () => {
      checkString(`${place}.name`, name);
    },
    () => {
      checkOperators(`${place}.filter`, filter, kind);
    },
    () => {
      if (value !== undefined) checkServerValue(place, option, field);
    },
    ...rights,
  ]);
}

function checkOperators(place: string, filter: unknown, kind: SchemaField['kind']): void {
  if (!Array.isArray(filter)) return;
  if (kind === 'relation') throw mistyped(place, filter, 'true or false: operators belong to the fields of the related model');
  checkList(filter, { place, known: PRISMA_OPERATORS, kind: 'filter operator', all: 'There are' });
}
