import type { CallSpec } from '../client/call-spec.js';
import type { Connection } from '../client/connection.js';
import { connectionOf } from '../client/connection-of.js';
import { withOptions } from '../client/connect.js';
import { lazyCall } from '../client/lazy-call.js';
import type { RpcCallOptions } from '../client/rpc-client-options.js';
import { sendCalls } from '../client/send-batch.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { AdminClient } from './admin-client.js';
import type { CallContext } from './call-context.js';
import { DescriptionSource } from './described-api.js';
import type { FilterScope } from './filter.js';
import { HttpError, toHttpError } from './http-error.js';
import { canonicalId, idOf, type Row, uniqueWhere, whereOfIds } from './ids.js';
import { type AdminRecord, dataOf, recordOf, type Selection, selectionArguments } from './records.js';
import { orderOf, type Sorter } from './sort.js';
import { toJsonValue } from './values.js';

/** A page of a list. */
export interface ListQuery {
  readonly where: (scope: FilterScope) => Row;
  readonly sorters: readonly Sorter[];
  readonly skip?: number;
  /** All records if absent, at most `limits.maxTake`. */
  readonly take?: number;
}

export interface Update extends CallContext {
  readonly id: unknown;
  readonly values: Row;
  readonly before?: Row | undefined;
}

/** The calls of admin interfaces, by resource: what react-admin's and refine's data providers have in common. */
export class AdminData {
  readonly source: DescriptionSource;
  readonly connection: Connection;

  /** @throws TypeError for a value that is no client of `createRpcClient` */
  constructor(client: AdminClient) {
    this.source = DescriptionSource.of(client);
    this.connection = connectionOf(client);
  }

  list(name: string, { where, sorters, skip, take }: ListQuery, context: CallContext): Promise<{ data: AdminRecord[]; total: number }> {
    return this.run(name, async (scope) => {
      const condition = where(scope);
      const orderBy = orderOf(sorters, scope.model, scope.api);
      const page = { where: condition, orderBy, ...(skip !== undefined && { skip }), ...(take !== undefined && { take }) };
      const [rows, total] = await Promise.all([
        this.call(scope, 'findMany', { ...page, ...selectionArguments(context, scope) }, context),
        this.call(scope, 'count', { where: condition }, context),
      ]);
      return { data: toRecords(rows, scope, context), total: Number(total) };
    });
  }

  one(name: string, id: unknown, context: CallContext): Promise<AdminRecord> {
    return this.run(name, async (scope) => {
      const where = uniqueWhere(id, scope.model);
      return this.record(
        await this.call(scope, 'findUniqueOrThrow', { where, ...selectionArguments(context, scope) }, context),
        scope,
        context,
      );
    });
  }

  /** Returns the records of some ids, in their order. Those that the caller cannot see are absent. */
  many(name: string, ids: readonly unknown[], context: CallContext): Promise<AdminRecord[]> {
    return this.run(name, async (scope) => {
      const pages = chunksOf([...new Set(ids.map(String))], this.idsPerCall(scope));
      const args = selectionArguments(context, scope);
      const rows = await Promise.all(
        pages.map((page) => this.call(scope, 'findMany', { where: whereOfIds(page, scope.model), ...args }, context)),
      );
      const byId = new Map(rows.flatMap((page) => toRecords(page, scope, context)).map((record) => [String(record['id']), record]));
      return ids.map((id) => byId.get(String(canonicalId(id, scope.model)))).filter((record) => record !== undefined);
    });
  }

  create(name: string, values: Row, context: CallContext): Promise<AdminRecord> {
    return this.run(name, async (scope) => {
      const args = { data: dataOf({ values }, scope), ...selectionArguments(context, scope) };
      return this.record(await this.call(scope, 'create', args, context), scope, context);
    });
  }

  /** Creates several records in one transaction. */
  createMany(name: string, records: readonly Row[], context: CallContext): Promise<AdminRecord[]> {
    return this.run(name, async (scope) => {
      const args = selectionArguments(context, scope);
      const specs = records.map((values) => specOf(scope, 'create', { data: dataOf({ values }, scope), ...args }));
      return toRecords(await this.batch(scope, specs, context), scope, context);
    });
  }

  /** Updates what has changed. The version is that of `etag`, of the record before, or of the values. Without a change, the record is read. */
  update(name: string, { id, values, before, ...context }: Update): Promise<AdminRecord> {
    return this.run(name, async (scope) => {
      const data = dataOf({ values, before, id }, scope);
      const args = { where: uniqueWhere(id, scope.model), ...selectionArguments(context, scope) };
      const version = versionOf(context.etag, before ?? values, scope);
      const row =
        Object.keys(data).length > 0
          ? await this.call(scope, 'update', { ...args, data }, { ...context, ...version })
          : await this.call(scope, 'findUniqueOrThrow', args, context);
      return this.record(row, scope, context);
    });
  }

  /**
   * Updates several records alike, in one transaction for each `limits.maxBatchSize` of them. A version is that of each record. Without a change, the
   * records are read.
   */
  updateMany(name: string, ids: readonly unknown[], values: Row, context: CallContext): Promise<AdminRecord[]> {
    return this.run(name, async (scope) => {
      const data = dataOf({ values, id: null }, scope);
      const args = selectionArguments(context, scope);
      const version = versionOf(context.etag, values, scope);
      const isChange = Object.keys(data).length > 0;
      const specs = ids.map((id) => {
        const where = uniqueWhere(id, scope.model);
        if (!isChange) return specOf(scope, 'findUniqueOrThrow', { where, ...args });
        return { ...specOf(scope, 'update', { where, ...args, data }), ...version };
      });
      return toRecords(await this.batch(scope, specs, context), scope, context);
    });
  }

  delete(name: string, id: unknown, before: Row | undefined, context: CallContext): Promise<AdminRecord> {
    return this.run(name, async (scope) => {
      const args = { where: uniqueWhere(id, scope.model), ...selectionArguments(context, scope) };
      const version = versionOf(context.etag, before ?? {}, scope);
      return this.record(await this.call(scope, 'delete', args, { ...context, ...version }), scope, context);
    });
  }

  /** Deletes several records, in one transaction for each `limits.maxBatchSize` of them. */
  deleteMany(name: string, ids: readonly unknown[], context: CallContext): Promise<AdminRecord[]> {
    return this.run(name, async (scope) => {
      const args = selectionArguments(context, scope);
      const version = versionOf(context.etag, {}, scope);
      const specs = ids.map((id) => ({ ...specOf(scope, 'delete', { where: uniqueWhere(id, scope.model), ...args }), ...version }));
      return toRecords(await this.batch(scope, specs, context), scope, context);
    });
  }

  /** Calls an action of the application, or `restore`. A row of the model is returned as a record. */
  act(
    name: string,
    action: string,
    { id, data, ...context }: CallContext & { readonly id?: unknown; readonly data?: unknown },
  ): Promise<unknown> {
    return this.run(name, async (scope) => {
      const described = scope.model.actions.find((each) => each.name === action);
      if (!described) throw new HttpError(`There is no action '${action}' of '${name}'.`, 404);
      const where = described.on === 'record' ? { where: uniqueWhere(id, scope.model) } : {};
      const version = versionOf(context.etag, {}, scope);
      const result = await this.call(scope, action, { ...where, ...(data !== undefined && { args: data }) }, { ...context, ...version });
      return isPlainObject(result) && idOf(result, scope.model) !== undefined ? recordOf(result, scope) : toJsonValue(result);
    });
  }

  /** Runs the calls of a method. The next one validates the description if the server refuses something that was described. */
  private async run<Result>(name: string, calls: (scope: FilterScope) => Promise<Result>): Promise<Result> {
    try {
      const model = await this.source.model(name);
      return await calls({ model, api: await this.source.current() });
    } catch (error) {
      const failure = toHttpError(error);
      if (failure instanceof HttpError && REFUSED.has(failure.status)) this.source.expire();
      throw failure;
    }
  }

  private call(scope: FilterScope, operation: string, args: Row, { signal, ifMatch }: Call): Promise<unknown> {
    const options = { ...(signal && { signal }), ...(ifMatch !== undefined && { ifMatch }) };
    const connection = withOptions(this.connection, options);
    const tag = connection.ifMatch;
    return lazyCall({ ...specOf(scope, operation, args), ...(tag !== undefined && { ifMatch: tag }) }, connection);
  }

  private async batch({ model, api }: FilterScope, specs: readonly CallSpec[], { signal }: CallContext): Promise<unknown[]> {
    const results: unknown[] = [];
    const connection = withOptions(this.connection, signal ? { signal } : {});
    for (const calls of chunksOf(specs, Math.min(api.limits.maxBatchSize, this.idsPerCall({ model, api })))) {
      results.push(...(await sendCalls(connection, calls)));
    }
    return results;
  }

  /** The number of ids that the filters of one request may name. Of a compound id, each part counts, and the condition that holds them. */
  private idsPerCall({ model: { idFields }, api: { limits } }: FilterScope): number {
    const terms = idFields.length === 1 ? 1 : idFields.length + 1;
    return Math.max(1, Math.min(limits.maxTake, Math.floor((limits.maxFilterTerms - 1) / terms)));
  }

  private record(row: unknown, scope: FilterScope, { ids }: Selection): AdminRecord {
    return isPlainObject(row) ? recordOf(row, scope, ids) : {};
  }
}

type Call = Pick<CallContext, 'signal'> & Pick<RpcCallOptions, 'ifMatch'>;

/** Statuses with which a server may refuse what an outdated description allows. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404]);

function specOf({ model }: FilterScope, operation: string, args: Row): CallSpec {
  return { model: model.model, operation, args, relations: [] };
}

function toRecords(rows: unknown, scope: FilterScope, { ids }: Selection): AdminRecord[] {
  return Array.isArray(rows) ? rows.flatMap((row: unknown) => (isPlainObject(row) ? [recordOf(row, scope, ids)] : [])) : [];
}

/** Returns the version that a write may change, if the caller gives one or a record has one. */
function versionOf(etag: unknown, record: Row, { model: { version } }: FilterScope): { ifMatch?: string } {
  const given = etag ?? (version !== undefined && Object.hasOwn(record, version) ? record[version] : undefined);
  if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'bigint') return {};
  const text = String(given);
  return { ifMatch: /^(?:\*|(?:W\/)?".*")$/.test(text) ? text : `"${text}"` };
}

function chunksOf<Item>(items: readonly Item[], size: number): readonly Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
