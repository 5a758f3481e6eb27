import type { DataClient } from '../executor/data-client.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { CallerGrants } from './caller-grants.service.js';
import type { Style, StyleContext } from './style.js';

/** A style with its prefix in the running application. */
export interface MountPoint {
  readonly style: Style;
  /** Configured path without leading and trailing slashes. With `''`, the style and other routes of the application have the same root. */
  readonly prefix: string;
  /**
   * The full paths, with Nest's global prefix, the version and the path of RouterModule. Each has a leading slash, and no trailing one;
   * `''` is the root. There are several if the default version is a list.
   */
  readonly paths: readonly string[];
  readonly context: StyleContext;
  /** The model of callers without grants. If no right takes a grant, it is the model of all callers. */
  readonly ungranted: ResourceModel;
  /** Evaluates the grants of callers. */
  readonly callers: Pick<CallerGrants, 'of'>;
  /** Provides the data clients of its requests. */
  readonly clients: DataClients;
}

/** A provider of data clients for requests. */
export interface DataClients {
  ask(requestContext: { readonly request: PlatformRequest }): Promise<DataClient>;
}
