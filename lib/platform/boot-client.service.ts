import { Inject, Injectable } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import { RESOURCE_API_OPTIONS } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';

/** The data client that there is before any request. */
@Injectable()
export class BootClient {
  private asked: Promise<DataClient | undefined> | undefined;

  constructor(@Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'getClient'>) {}

  /** What a `getClient` without parameters gives, asked once; undefined where it needs a request. */
  withoutRequest(): Promise<DataClient | undefined> {
    return (this.asked ??= this.ask());
  }

  private async ask(): Promise<DataClient | undefined> {
    const { getClient } = this.options;
    if (getClient?.length !== 0) return undefined;
    try {
      // It declares no parameter.
      const client: unknown = await Reflect.apply(getClient, undefined, [undefined]);
      return typeof client === 'object' && client !== null ? client : undefined;
    } catch {
      // It needs a request after all, by AsyncLocalStorage perhaps: the first one tells.
      return undefined;
    }
  }
}
