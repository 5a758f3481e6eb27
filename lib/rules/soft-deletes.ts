import { ConfigurationError } from '../errors/configuration-error.js';
import { ownOption } from '../model/exposure/own-option.js';
import type { ResourcesOption } from '../model/exposure/resources-option.js';
import { softDeleteOf } from '../model/exposure/soft-delete.js';
import { frozenMap } from '../model/freeze.js';
import type { Storage, StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import { isConnectiveName } from '../model/surface/prisma-operators.js';
import { isSayable } from '../prisma/connectives.js';
import { fieldNamed } from '../query/fields.js';
import { isObject } from '../utils/is-object.js';

/** How records of a model are deleted that are kept. */
export interface SoftDelete {
  /** Says when; null of what is there. */
  readonly field: StoredField;
  /** What is deleted and restored with a record. */
  readonly cascade: readonly StoredRelation[];
}

/** By Prisma's name of the model. */
export type SoftDeletes = ReadonlyMap<string, SoftDelete>;

export const NO_SOFT_DELETES: SoftDeletes = frozenMap([]);

/**
 * The models with `softDelete` of the option `resources`, once checked; hidden ones among them.
 *
 * @throws ConfigurationError for a schema of ZenStack, and for a model with members that are called as the connectives of a `where` are
 */
export function compileSoftDeletes(resources: ResourcesOption = {}, storage: Storage): SoftDeletes {
  const compiled = [...storage.byModel.values()].flatMap((model) => {
    const soft = compileModel(resources, model);
    return soft ? [[model.model, soft] as const] : [];
  });
  const [first] = compiled;
  if (first && storage.orm === 'zenstack') {
    throw new ConfigurationError(
      `resources.${first[0]}.softDelete is for Prisma clients, and the schema is ZenStack's.`,
      'Write it in ZModel: @@deny on what is deleted.',
    );
  }
  return frozenMap(compiled);
}

function compileModel(resources: ResourcesOption, model: StoredModel): SoftDelete | undefined {
  const options = ownOption(resources, model.model);
  const option = isObject(options) ? softDeleteOf(options) : undefined;
  if (!option) return undefined;
  if (isConnectiveName(option.field)) {
    throw new ConfigurationError(
      `resources.${model.model}.softDelete names '${option.field}', which Prisma takes for a connective in filters.`,
      'Rename the field in the Prisma schema, with @map for its column.',
    );
  }
  // Every filter is connected with the one that leaves deleted records out.
  if (!isSayable('AND', model)) {
    throw new ConfigurationError(
      `resources.${model.model}.softDelete is for a model that has no members called both AND and NOT: Prisma takes these for its connectives.`,
      'Rename one of them in the Prisma schema, with @map for its column.',
    );
  }
  const cascade = (option.cascade ?? []).flatMap((name) => model.relations.get(name) ?? []);
  return Object.freeze({ field: fieldNamed(model, option.field), cascade: Object.freeze(cascade) });
}
