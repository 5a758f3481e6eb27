import { type Resource } from '../../model/resource-model.js';
import { type Spot } from './spot.js';

/**
 * Plans the value of one argument key: what the data client gets in its place.
 *
 * @throws ApiError with the path of whatever the resource does not have, is closed, is of a wrong type or over a limit
 */
export type ArgumentPlanner = (resource: Resource, value: unknown, spot: Spot) => unknown;
