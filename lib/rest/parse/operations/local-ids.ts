import { ApiError } from '../../../errors/api-error.js';
import { quote } from '../../../errors/quote.js';
import type { Resource } from '../../../model/surface/surface.js';
import { ComingRow, LaterValue } from '../../../query/later-value.js';
import type { ResourceId } from '../target.js';

/**
 * The local ids of one request (AO-22): each names a resource that an operation before creates. Its key is type and lid together.
 *
 * They are kept apart from ids, so that no id of a client is ever taken for one (AO-27).
 */
export class LocalIds {
  private readonly rows = new Map<Resource, Map<string, ComingRow>>();

  /**
   * Declares the lid of a resource to be created.
   *
   * @throws ApiError `invalid-payload` where it is declared already
   */
  declare(resource: Resource, lid: string): ComingRow {
    const ofType = this.rows.get(resource) ?? new Map<string, ComingRow>();
    if (ofType.has(lid))
      throw new ApiError('invalid-payload', `An operation before has declared the lid ${quote(lid)} of ${resource.type}.`);
    const row = new ComingRow();
    this.rows.set(resource, ofType.set(lid, row));
    return row;
  }

  /**
   * The id that the resource will have.
   *
   * @throws ApiError `invalid-payload` where no operation before declares it (AO-23)
   */
  resolve(resource: Resource, lid: string): ResourceId {
    const row = this.rows.get(resource)?.get(lid);
    if (!row) throw new ApiError('invalid-payload', `No operation before this one creates a ${resource.type} with the lid ${quote(lid)}.`);
    const values = resource.identifier.fields.map(({ name }) => [name, new LaterValue(row, name)] as const);
    return { values: Object.fromEntries(values), text: lid, lid };
  }
}
