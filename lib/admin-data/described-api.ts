import { connectionOf } from '../client/connection-of.js';
import type { Connection } from '../client/connection.js';
import { descriptionRequest } from '../client/build-request.js';
import { RpcClientError } from '../client/rpc-client-error.js';
import type { RpcFetch } from '../client/rpc-client-options.js';
import { sendRequest } from '../client/send-request.js';
import type {
  ApiDescription,
  DescribedLimits,
  FieldDescription,
  ModelDescription,
  RelationDescription,
} from '../rpc/protocol/api-description.js';
import { HttpError } from './http-error.js';

/** A model that the caller sees. */
export interface DescribedModel extends ModelDescription {
  readonly fieldOf: (name: string) => FieldDescription | undefined;
  readonly relationOf: (name: string) => RelationDescription | undefined;
  /** The fields that make up ids: the primary key, or another key if the caller cannot use it. Empty without a key. */
  readonly idFields: readonly FieldDescription[];
  /** The name of that key in a `where`. */
  readonly idKey: string;
}

/** What the caller sees, by the names of the models. */
export interface DescribedApi {
  readonly models: ReadonlyMap<string, DescribedModel>;
  readonly limits: DescribedLimits;
}

/** Milliseconds after which a description is validated again, by a request that is answered 304 if it is unchanged. */
const MAX_AGE = 10_000;

/** Milliseconds within which an unknown model is not looked up again. */
const MIN_AGE = 1000;

interface Loaded {
  readonly api: DescribedApi;
  readonly etag: string | undefined;
  readonly time: number;
}

const sources = new WeakMap<object, DescriptionSource>();

/** Fetches and caches the description of one client. Clients do not share descriptions, because each may be of another caller. */
export class DescriptionSource {
  private loaded: Loaded | undefined;
  private loading: Promise<Loaded> | undefined;
  private isExpired = false;

  private constructor(private readonly connection: Connection) {}

  /** Returns the source of a client. @throws TypeError for a value that is no client of `createRpcClient` */
  static of(client: object): DescriptionSource {
    const source = sources.get(client) ?? new DescriptionSource(connectionOf(client));
    sources.set(client, source);
    return source;
  }

  /** Validates the description before its next use: the caller may have changed, or the server. */
  expire(): void {
    this.isExpired = true;
    this.loading = undefined;
  }

  async current(): Promise<DescribedApi> {
    const { loaded, isExpired } = this;
    if (loaded && !isExpired && Date.now() - loaded.time < MAX_AGE) return loaded.api;
    return (await (this.loading ?? this.load())).api;
  }

  /** Returns a model. @throws HttpError with status 404 for a model that the caller cannot see */
  async model(name: string): Promise<DescribedModel> {
    const known = (await this.current()).models.get(name);
    if (known) return known;
    if (this.loaded && Date.now() - this.loaded.time > MIN_AGE) this.expire();
    const model = (await this.current()).models.get(name);
    if (model) return model;
    throw new HttpError(`There is no resource '${name}'.`, 404);
  }

  private load(): Promise<Loaded> {
    const loading = fetchDescription(this.connection, this.loaded);
    this.loading = loading;
    const settle = (loaded?: Loaded): void => {
      if (this.loading !== loading) return;
      this.loading = undefined;
      if (loaded) [this.loaded, this.isExpired] = [loaded, false];
    };
    loading.then(settle, () => {
      settle();
    });
    return loading;
  }
}

async function fetchDescription(connection: Connection, known: Loaded | undefined): Promise<Loaded> {
  let etag: string | undefined;
  const fetch: RpcFetch = async (url, init) => {
    const response = await connection.fetch(url, init);
    etag = response.headers?.get('etag') ?? undefined;
    return response;
  };
  const condition = known?.etag === undefined ? [] : [{ 'if-none-match': known.etag }];
  try {
    const request = descriptionRequest(undefined, connection);
    const description = await sendRequest({ ...connection, fetch, headers: [...connection.headers, ...condition] }, request);
    // `as`: the answer of `$describe`, whose type both ends share.
    return { api: describedApi(description as ApiDescription), etag, time: Date.now() };
  } catch (error) {
    if (known && error instanceof RpcClientError && error.status === 304) return { ...known, time: Date.now() };
    throw error;
  }
}

function describedApi({ models, limits }: ApiDescription): DescribedApi {
  return { models: new Map(models.map((model) => [model.model, describedModel(model)])), limits };
}

function describedModel(model: ModelDescription): DescribedModel {
  const fields = new Map(model.fields.map((field) => [field.name, field]));
  const relations = new Map(model.relations.map((relation) => [relation.name, relation]));
  const isReadable = (name: string): boolean => fields.get(name)?.rights.includes('read') === true;
  const keys = model.keys.filter((key) => key.fields.every(isReadable));
  const key = keys.find(({ primary }) => primary) ?? keys[0];
  return {
    ...model,
    fieldOf: (name) => fields.get(name),
    relationOf: (name) => relations.get(name),
    idFields: (key?.fields ?? []).flatMap((name) => fields.get(name) ?? []),
    idKey: key?.name ?? '',
  };
}
