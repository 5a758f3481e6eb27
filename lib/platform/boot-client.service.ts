import { Inject, Injectable } from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import { RESOURCE_API_OPTIONS } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';

/** Provides a data client before the first request. */
@Injectable()
export class BootClient {
  private created: Promise<DataClient | undefined> | undefined;

  constructor(@Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'bootClient' | 'getClient'>) {}

  /** Returns the option `bootClient`, or else {@link withoutRequest}. */
  async atBoot(): Promise<DataClient | undefined> {
    return this.options.bootClient ?? (await this.withoutRequest());
  }

  /** Returns the client of a `getClient` without parameters, which is called once. Returns undefined if `getClient` needs a request. */
  withoutRequest(): Promise<DataClient | undefined> {
    return (this.created ??= this.create());
  }

  private async create(): Promise<DataClient | undefined> {
    const { getClient } = this.options;
    if (getClient?.length !== 0) return undefined;
    try {
      // `getClient` declares no parameter, so that it does not use the argument.
      const client: unknown = await Reflect.apply(getClient, undefined, [undefined]);
      return typeof client === 'object' && client !== null ? client : undefined;
    } catch {
      // It needs a request without declaring a parameter, e.g. through AsyncLocalStorage. The client of the first request is checked
      // instead.
      return undefined;
    }
  }
}
