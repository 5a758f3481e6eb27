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

/** The soft delete of a model. */
export interface SoftDelete {
  /** The field with the time of deletion; null in live rows. */
  readonly field: StoredField;
  /** The relations whose rows are deleted and restored together with a record. */
  readonly cascade: readonly StoredRelation[];
}

/** Soft deletes by the Prisma name of their model. */
export type SoftDeletes = ReadonlyMap<string, SoftDelete>;

export const NO_SOFT_DELETES: SoftDeletes = frozenMap([]);

/**
 * Compiles `softDelete` of the checked option `resources`, also for hidden models.
 *
 * @throws ConfigurationError for a ZenStack schema, and for a model whose members have the names of connectives of a `where`
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
  // Every filter is combined with the condition of live rows.
  if (!isSayable('AND', model)) {
    throw new ConfigurationError(
      `resources.${model.model}.softDelete is for a model that has no members called both AND and NOT: Prisma takes these for its connectives.`,
      'Rename one of them in the Prisma schema, with @map for its column.',
    );
  }
  const cascade = (option.cascade ?? []).flatMap((name) => model.relations.get(name) ?? []);
  return Object.freeze({ field: fieldNamed(model, option.field), cascade: Object.freeze(cascade) });
}
