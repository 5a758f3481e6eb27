import { Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { ExplainedError } from '../errors/explained-error.js';
import { PlanRunner } from '../run/plan-runner.service.js';
import type { ApiReply, ApiRequest, DataLayerRequest } from '../http/api-request.js';
import { ByteStream } from '../http/byte-stream.js';
import { preferenceOf, type Preferred } from '../http/preferences.js';
import type { RequestedExport } from './protocol/media-type.js';
import { readSearch } from './read-request.js';
import { explainReadError } from './explain-read-error.js';
import { type ExportBatch, exportChunks, type ExportedRows, FIRST_BATCH } from './export-chunks.js';
import { ExportSnapshots } from './export-snapshots.service.js';
import { type ExportedQuery, type ExportTarget, parseExport } from './parse/parse-export.js';
import { parseCollectionTarget, parseRelationshipTarget } from './parse/parse-target.js';
import type { PathParameters, RelationshipTarget } from './parse/target.js';
import type { CollectionQuery } from './parse/resource-query.js';
import type { Resource } from '../model/surface/surface.js';
import type { PlanContext } from './plan/plan-context.js';
import { planCollection, planRelated } from './plan/plan-read.js';
import { whyUnpageable } from './plan/unpageable.js';
import type { RowPage } from './projection/page.js';
import { keyOrder } from './projection/select-projection.js';
import { CsvWriter, type ExportWriter, NdjsonWriter } from './render/export-writer.js';
import type { RestEndpointKind } from './protocol/rest-endpoints.js';
import type { ExportSettings, SnapshotSettings } from '../options/rest-settings.js';

/** The request of an export, and the context of its caller. */
export interface ExportRequest {
  readonly requested: RequestedExport;
  readonly request: ApiRequest;
  readonly context: PlanContext;
}

/**
 * Exports collections as NDJSON and CSV. It reads all rows in batches of some hundreds, each after the client has taken the batch before (SE-04,
 * SE-06).
 */
@Injectable()
export class RestExportService {
  constructor(
    private readonly runner: PlanRunner,
    private readonly snapshots: ExportSnapshots,
  ) {}

  /** @returns undefined if the URL names no collection */
  fetch(kind: RestEndpointKind, params: PathParameters, requested: ExportRequest): Promise<ApiReply> | undefined {
    const { export: settings } = requested.context.settings;
    const target = settings && parseExportTarget(kind, params, requested.context);
    return target && this.export(target, settings, requested);
  }

  private async export(target: ExportTarget, settings: ExportSettings, { requested, request, context }: ExportRequest): Promise<ApiReply> {
    if (request.knowsEnds === false) throw unendable();
    const preferred = preferSnapshot(request, settings);
    const { format, mediaType } = requested;
    const { query, fieldset } = parseExport(target, readSearch(request, context), format, context);
    const { projection } = query;
    if (projection.kind !== 'resource') throw new TypeError('An export of identifiers was planned.');
    const writer: ExportWriter =
      format === 'csv'
        ? new CsvWriter(projection, fieldset, context.settings, settings.csv)
        : new NdjsonWriter(projection, context.settings);
    const begin = (asking: DataLayerRequest): Promise<AsyncIterable<Uint8Array>> => this.begin(query, writer, { asking, context });
    const chunks = request.method === 'HEAD' ? NOTHING : await this.within(preferred.value, request, begin);
    const headers = {
      'Content-Type': mediaType,
      ...HEADERS,
      ...preferred.headers,
      ...(format === 'csv' && { 'Content-Disposition': dispositionOf(query) }),
    };
    const { lastWords } = writer;
    return { status: 200, headers, body: new ByteStream(chunks, lastWords && ((document) => Buffer.from(lastWords(document)))) };
  }

  /** Begins an export, in a snapshot if `settings` are given. */
  private async within(settings: SnapshotSettings | undefined, request: ApiRequest, begin: Begin): Promise<AsyncIterable<Uint8Array>> {
    if (!settings) return begin(request);
    const { asking, read, until, end } = await this.snapshots.open(request, settings);
    try {
      return until(await read(() => begin(asking)));
    } catch (error) {
      await end();
      throw error;
    }
  }

  /** Reads the first rows before the response begins, so that their errors are error documents (SE-08). */
  private async begin(query: ExportedQuery, writer: ExportWriter, requested: ExportInRequest): Promise<AsyncIterable<Uint8Array>> {
    const { maxExportRows: maxRows, maxTake } = requested.context.limits;
    const size = Math.min(FIRST_BATCH, maxRows, maxTake);
    const isByOffset = query.page.after === undefined && !hasPageableKey(query.resource, requested.context);
    const first = await (isByOffset
      ? this.readFrom(0, { query, size }, requested)
      : this.read({ ...query, page: { ...query.page, size } }, requested));
    const read = (most: number, { count, after }: ExportedRows): Promise<ExportBatch> => {
      const next = Math.min(most, maxTake);
      if (after === undefined) return this.readFrom(count, { query, size: next }, requested);
      return this.read({ ...query, page: { ...query.page, size: next, after: { parameter: 'page[after]', text: after } } }, requested);
    };
    return exportChunks(writer, first, read, maxRows);
  }

  private async read(query: ExportedQuery, requested: ExportInRequest): Promise<ExportBatch> {
    const { rows, cursors } = await this.run(query, requested);
    if (!cursors) throw new TypeError('A page between cursors was read without them.');
    return { rows, cursorOf: cursors.on, hasMore: cursors.hasMore };
  }

  /** Reads a batch by its offset, for an order that cursors do not support. One more row is read, to detect whether more rows follow. */
  private async readFrom(offset: number, { query, size }: Batch, requested: ExportInRequest): Promise<ExportBatch> {
    const { rows } = await this.run({ ...query, page: { offset, limit: size } }, requested);
    return { rows: rows.slice(0, size), hasMore: rows.length > size };
  }

  private run(query: CollectionQuery<ExportTarget>, requested: ExportInRequest): Promise<RowPage> {
    return this.runPage(query, requested).catch((error: unknown) => {
      throw new ExplainedError((mapped) => explainReadError(mapped, query), error);
    });
  }

  private async runPage(query: CollectionQuery<ExportTarget>, { asking, context }: ExportInRequest): Promise<RowPage> {
    const uncounted: PlanContext = { ...context, settings: { ...context.settings, count: 'none' } };
    if (isRelated(query)) {
      const { plan, read } = planRelated(query, uncounted);
      return read(await this.runner.run(plan, asking));
    }
    const { plan, read } = planCollection(query, uncounted);
    return read(await this.runner.run(plan, asking));
  }
}

/** Reads `Prefer: snapshot` (SE-05), if the options allow snapshots. */
function preferSnapshot(request: ApiRequest, { snapshot }: ExportSettings): Partial<Preferred<SnapshotSettings>> {
  const preferred = preferenceOf(request, snapshot && { name: 'snapshot', read: (value) => (value === '' ? snapshot : undefined) });
  return snapshot ? { ...preferred, headers: { ...preferred?.headers, Vary: 'Prefer' } } : { ...preferred };
}

/** One batch of an export. */
interface Batch {
  readonly query: ExportedQuery;
  readonly size: number;
}

interface ExportInRequest {
  readonly asking: DataLayerRequest;
  readonly context: PlanContext;
}

type Begin = (asking: DataLayerRequest) => Promise<AsyncIterable<Uint8Array>>;

function parseExportTarget(kind: RestEndpointKind, params: PathParameters, context: PlanContext): ExportTarget | undefined {
  if (kind === 'collection') return parseCollectionTarget('read', params, context);
  if (kind !== 'related') return undefined;
  const target = parseRelationshipTarget('read', kind, params, context);
  return target.relationship.many ? target : undefined;
}

/** Whether cursors support the key of a resource, which is the end of every order. */
function hasPageableKey(resource: Resource, { model: { storage } }: PlanContext): boolean {
  return keyOrder(resource, storage).every((term) => {
    return term.kind === 'field-term' && whyUnpageable(term.field, storage.provider) === undefined;
  });
}

function isRelated(query: CollectionQuery<ExportTarget>): query is CollectionQuery<RelationshipTarget> {
  return query.target.kind === 'related';
}

/** Headers that forbid caches to store or transform an export (SE-02), and proxies to buffer it (SE-12). */
const HEADERS = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' } as const;

/** Returns the `Content-Disposition` of a CSV file. Its name is the type, in characters that every file system supports. */
function dispositionOf({ resource: { type } }: ExportedQuery): string {
  return `attachment; filename="${type.replace(/[^\w-]/g, '_')}.csv"`;
}

function unendable(): ApiError {
  return new ApiError(
    'not-acceptable',
    'An export has no length, and HTTP/1.0 cannot tell its end from a broken connection. Use HTTP/1.1.',
    {
      source: { header: 'Accept' },
    },
  );
}

const NOTHING: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};
