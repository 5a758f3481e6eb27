import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { ModelsByGrants } from '../model/granted-models.js';
import type { ResourceModel } from '../model/resource-model.js';
import { whyUnpageable } from '../rest/plan/unpageable.js';
import { keyOrder } from '../rest/projection/select-projection.js';
import { RANDOM_KEYS, type RestSettings } from '../options/rest-settings.js';
import { later } from '../utils/later.js';

/**
 * Checks that the database and the models support the enabled options of REST.
 *
 * @param rest absent if REST is off, or its options are invalid
 * @throws ConfigurationError
 */
export function requireSupported(rest: RestSettings | undefined, models: ModelsByGrants | undefined): void {
  if (!rest || !models) return;
  const { model, restModel } = models.widest;
  checkAll([later(requireEstimates, rest, model), later(requireSnapshots, rest, model), later(requirePageable, rest, restModel)]);
}

function requireEstimates({ count, mostCount }: RestSettings, { storage: { provider, orm } }: ResourceModel): void {
  if ((count !== 'estimated' && mostCount !== 'estimated') || (provider === 'postgresql' && orm === 'prisma')) return;
  throw new ConfigurationError(
    `rest.count is 'estimated', and only PostgreSQL's planner is asked for an estimate, through Prisma: this is ${provider}.`,
    "Set it to 'exact' or 'none'.",
  );
}

function requireSnapshots(rest: RestSettings, { storage: { provider, orm } }: ResourceModel): void {
  if (!rest.export?.snapshot || (provider === 'postgresql' && orm === 'prisma')) return;
  throw new ConfigurationError(
    `rest.export.snapshot is for PostgreSQL with Prisma, and this is ${provider}${orm === 'prisma' ? '' : ` with ${orm}`}.`,
    'Leave it out.',
  );
}

/**
 * Checks that the key of each model with cursor pagination can order its pages.
 *
 * @throws ConfigurationError for a key whose type or database does not support cursors
 */
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

/**
 * Returns the warning that cursors are encrypted with a random key, if a model is paginated by cursors. For other models, the warning is
 * logged when the first cursor is created.
 */
export function cursorWarnings({ cursorKeys }: RestSettings, { resources }: ResourceModel): readonly string[] {
  return cursorKeys === undefined && resources.some(({ pagination }) => pagination === 'cursor') ? [RANDOM_KEYS] : [];
}
