import { checkAll } from './errors/check-all.js';
import type { ResourceModel } from './model/resource-model.js';
import { requireEstimates } from './resource-api.counting.js';
import { requirePageable } from './resource-api.cursors.js';
import { requireSnapshots } from './resource-api.export.js';
import type { RestSettings } from './rest/rest-settings.js';

/**
 * Checks whether the database and the models have what REST is to offer.
 *
 * @param rest absent where there is no REST, or its options are wrong
 * @throws ConfigurationError
 */
export function requireOffered(rest: RestSettings | undefined, models: Models | undefined): void {
  checkAll([
    () => {
      requireEstimates(rest, models?.model);
    },
    () => {
      requireSnapshots(rest, models?.model);
    },
    () => {
      requirePageable(rest, models?.restModel);
    },
  ]);
}

interface Models {
  readonly model: ResourceModel;
  readonly restModel: ResourceModel;
}
