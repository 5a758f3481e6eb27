import { type Limits } from '../../model/limits.js';
import { type ResourceModel } from '../../model/resource-model.js';
import { type RestSettings } from '../rest-settings.js';

/** What every stage of the REST style reads beside the request: fixed at boot. */
export interface RestContext {
  readonly model: ResourceModel;
  readonly settings: RestSettings;
  readonly limits: Limits;
}
