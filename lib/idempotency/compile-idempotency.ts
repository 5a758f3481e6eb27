import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';
import { checkFunction, checkList, checkNames, checkString, mistyped } from '../model/check-option.js';
import { checkTable, fillOptions, type OptionTable } from '../model/option-table.js';
import { MAX_TIMER, readDuration } from '../model/read-duration.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Storage } from '../model/storage/storage.js';
import type { KeyedWrites } from '../model/surface/surface.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import type { CallerOf, IdempotencyOptions } from '../options/idempotency-options.js';
import type { IdempotencyStore } from '../options/idempotency-store.js';
import { type KeyRecords, StoreRecords } from './key-records.js';
import { ModelRecords } from './model-records.js';
import { recordModel } from './record-model.js';

const DEFAULT_MODEL = 'IdempotencyKey';

const OPTIONS = {
  caller: {
    check: checkFunction,
    required:
      "Give idempotency: { caller: (request) => … }, which returns who asks, e.g. the id of the user, and '' for nobody: a key of one caller must say nothing of another's.",
  },
  model: { check: checkString },
  store: {},
  ttl: { check: readDuration, fallback: '24h' },
  waitMs: {
    check: (place, value) => {
      const isTime = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TIMER;
      if (!isTime) throw mistyped(place, value, 'a number of milliseconds');
    },
    fallback: 2000,
  },
  required: { fallback: {} },
} as const satisfies OptionTable<IdempotencyOptions>;

/** The option `idempotency`, checked and with its defaults. */
export interface IdempotencySettings {
  readonly caller: CallerOf;
  readonly records: KeyRecords;
  readonly waitMs: number;
  readonly keyed: KeyedWrites;
}

type GivenOptions = Pick<ResourceApiOptions, 'schema' | 'idempotency' | 'resources'>;

/**
 * Returns the entry of the option `resources` that hides the model of the records, because these hold the responses to all callers.
 *
 * @returns undefined if the records are not in a model of the schema
 * @throws ConfigurationError if the application exposes the model
 */
export function hidingRecords({ schema, idempotency, resources }: GivenOptions): Readonly<Record<string, 'hidden'>> | undefined {
  const [model, store] = [memberOf(idempotency, 'model') ?? DEFAULT_MODEL, memberOf(idempotency, 'store')];
  // A missing model is reported later, by an error that prints the model to add.
  if (idempotency === undefined || store !== undefined || typeof model !== 'string' || !Object.hasOwn(schema.models, model))
    return undefined;
  if ((memberOf(resources, model) ?? 'hidden') === 'hidden') return { [model]: 'hidden' };
  throw new ConfigurationError(
    `resources.${model} opens the records of 'idempotency', which hold the answers to all callers.`,
    `Leave ${model} out of 'resources': it is hidden by itself.`,
  );
}

/**
 * Compiles the option `idempotency`. The value `undefined` is an error, because a forgotten option would let every write be executed twice.
 *
 * @returns null if the option is not given
 * @throws ConfigurationError
 */
export function compileIdempotency(options: Pick<ResourceApiOptions, 'idempotency'>, model: ResourceModel): IdempotencySettings | null {
  return 'idempotency' in options ? settingsOf(options.idempotency, model) : null;
}

function settingsOf(given: Partial<IdempotencyOptions> | undefined, model: ResourceModel): IdempotencySettings {
  checkTable('idempotency', given, OPTIONS);
  const { caller, ttl, waitMs, required } = fillOptions(given, OPTIONS, undefined);
  const keyed = Object.freeze({ ttl: readDuration('idempotency.ttl', ttl), isRequired: requiredOf(required, model) });
  return Object.freeze({ caller, records: recordsOf(given, model.storage), waitMs, keyed });
}

function recordsOf(given: Partial<IdempotencyOptions>, storage: Storage): KeyRecords {
  if (!('store' in given)) return inModel(given.model, storage);
  const { store } = given;
  if (given.model !== undefined) {
    throw new ConfigurationError(
      "The option 'idempotency' has both a 'model' and a 'store'.",
      'Leave one of them out: answers are kept in one place.',
    );
  }
  const lacking = METHODS.filter((name) => typeof memberOf(store, name) !== 'function');
  if (lacking.length > 0) {
    throw new ConfigurationError(
      `idempotency.store has no ${lacking.map((name) => `${name}()`).join(', ')}.`,
      `Give an object with ${METHODS.map((name) => `${name}()`).join(', ')}: an IdempotencyStore.`,
    );
  }
  // The application names the type of the clients that the methods of its store receive.
  return new StoreRecords(store);
}

const METHODS = ['find', 'claim', 'complete', 'sweep'] as const satisfies readonly (keyof IdempotencyStore)[];

function inModel(name = DEFAULT_MODEL, storage: Storage): KeyRecords {
  return new ModelRecords(recordModel(storage, name), storage);
}

const WRITES: readonly string[] = ['create', 'update', 'delete'];

type Models = Pick<ResourceModel, 'byModel' | 'ownActions'>;

function requiredOf(required: Readonly<Record<string, readonly string[] | undefined>>, models: Models): KeyedWrites['isRequired'] {
  const known = [...models.byModel.keys(), '*'];
  checkNames(required, { place: 'idempotency.required', known, kind: 'model here', all: 'The models are' });
  checkAll(
    Object.entries(required).map(([model, actions]) => () => {
      const own = [...(models.ownActions?.get(model)?.keys() ?? [])];
      const place = `idempotency.required.${model}`;
      if (Array.isArray(actions) && actions.includes('read')) {
        throw new ConfigurationError(`${place} names 'read', which takes no key.`, `Name ${WRITES.join(', ')}.`);
      }
      checkList(actions, { place, known: [...WRITES, ...own], kind: 'action here', all: 'The actions are' });
    }),
  );
  return (model = '*', action) => (required[Object.hasOwn(required, model) ? model : '*'] ?? []).includes(action);
}

/** Adds the settings of idempotency keys to the model, which the OpenAPI document reads. */
export function withIdempotency(model: ResourceModel, settings: IdempotencySettings | null): ResourceModel {
  return settings ? Object.freeze({ ...model, idempotency: settings.keyed }) : model;
}
