import { ApiError } from '../../../errors/api-error.js';
import { quote } from '../../../errors/quote.js';
import type { Resource } from '../../../model/surface/surface.js';
import { PendingRow, PendingValue } from '../../../query/pending-value.js';
import type { ResourceId } from '../target.js';

/**
 * The local ids of one request (AO-22). Each names a resource that an earlier operation creates, and is unique with its type.
 *
 * Local ids have a separate map, so that a client's id is never taken for one (AO-27).
 */
export class LocalIds {
  private readonly rows = new Map<Resource, Map<string, PendingRow>>();

  /**
   * Declares the local id of a resource to be created.
   *
   * @throws ApiError `invalid-payload` if it is declared already
   */
  declare(resource: Resource, lid: string): PendingRow {
    const ofType = this.rows.get(resource) ?? new Map<string, PendingRow>();
    if (ofType.has(lid))
      throw new ApiError('invalid-payload', `An operation before has declared the lid ${quote(lid)} of ${resource.type}.`);
    const row = new PendingRow();
    this.rows.set(resource, ofType.set(lid, row));
    return row;
  }

  /**
   * Returns the id of the resource to be created, with values that are resolved when its row exists.
   *
   * @throws ApiError `invalid-payload` if no earlier operation declares it (AO-23)
   */
  resolve(resource: Resource, lid: string): ResourceId {
    const row = this.rows.get(resource)?.get(lid);
    if (!row) throw new ApiError('invalid-payload', `No operation before this one creates a ${resource.type} with the lid ${quote(lid)}.`);
    const values = resource.identifier.fields.map(({ name }) => [name, new PendingValue(row, name)] as const);
    return { values: Object.fromEntries(values), text: lid, lid };
  }
}
