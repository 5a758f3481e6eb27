import type { DataClient } from '../executor/data-client.js';
import type { GrantedSurfaces } from './granted-surfaces.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { Style, StyleContext } from './style.js';

/** A style under a prefix of the running application. */
export interface MountPoint {
  readonly style: Style;
  /** Path without leading and trailing slashes, as it was given; `''` shares a path with the host's other routes. */
  readonly prefix: string;
  /**
   * Where it really is, with Nest's global prefix, its version and RouterModule's path: paths with a leading and without a trailing slash;
   * `''` is the root. Several where the default version is a list.
   */
  readonly paths: readonly string[];
  readonly context: StyleContext;
  /** What each caller is shown. Absent where all are shown the same, which is the context's model. */
  readonly granted?: GrantedSurfaces;
  /** Where its requests get their data client. */
  readonly clients: DataClients;
}

/** Gives requests their data client. */
export interface DataClients {
  ask(exchange: { readonly request: PlatformRequest }): Promise<DataClient>;
}
