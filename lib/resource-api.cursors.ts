import { ConfigurationError } from './errors/configuration-error.js';
import { checkAll } from './errors/check-all.js';
import { mistyped } from './model/check-option.js';
import type { ResourceModel } from './model/resource-model.js';
import type { RestOptions } from './resource-api.options.js';
import { whyUnpageable } from './rest/plan/unpageable.js';
import { keyOrder } from './rest/projection/key-order.js';
import { RANDOM_KEYS, type RestSettings } from './rest/rest-settings.js';

/** That of the key that is derived from it. */
const MIN_BYTES = 32;

/**
 * Checks the option `rest.cursorKeys`.
 *
 * @returns nothing where it is left out
 * @throws ConfigurationError, which does not show a key
 */
export function cursorKeysOf(option: RestOptions['cursorKeys']): Pick<RestSettings, 'cursorKeys'> {
  // Plain JavaScript and the environment may give anything.
  const given: unknown = option;
  if (given === undefined) return {};
  if (!Array.isArray(given) || given.length === 0) throw mistyped('rest.cursorKeys', typeof given, 'a list of keys, the current one first');
  checkAll(
    given.map((key: unknown, index) => () => {
      if (typeof key === 'string' && Buffer.byteLength(key) >= MIN_BYTES) return;
      const problem = typeof key === 'string' ? `has ${Buffer.byteLength(key)} bytes` : 'is no text';
      throw new ConfigurationError(
        `rest.cursorKeys[${index}] ${problem}.`,
        `A key is a secret text of at least ${MIN_BYTES} bytes, e.g. of 'openssl rand -base64 32'.`,
      );
    }),
  );
  return { cursorKeys: Object.freeze([...(given as readonly string[])]) };
}

/** @throws ConfigurationError where pages of a model are to be those of cursors, which cannot stand in the order of its key */
export function requirePageable(rest: object | undefined, model: ResourceModel | undefined): void {
  if (!rest || !model) return;
  const { storage } = model;
  checkAll(
    model.resources.map((resource) => () => {
      if (resource.pagination !== 'cursor') return;
      for (const term of keyOrder(resource, storage)) {
        const reason = term.kind === 'field-term' ? whyUnpageable(term.field, storage.provider) : undefined;
        if (term.kind !== 'field-term' || reason === undefined) continue;
        throw new ConfigurationError(
          `resources.${resource.model}.pagination is 'cursor', and its key ${term.field.name} ${reason}.`,
          "Leave it at 'offset', or give the model another primary key.",
        );
      }
    }),
  );
}

/** Told at boot where cursors are what clients are given, else with the first of them. */
export function cursorWarnings({ cursorKeys }: RestSettings, { resources }: ResourceModel): readonly string[] {
  return cursorKeys === undefined && resources.some(({ pagination }) => pagination === 'cursor') ? [RANDOM_KEYS] : [];
}
