import { ApiError } from '../errors/api-error.js';
import { isMissingValue, type MissingColumn, missingColumn } from '../errors/missing-column.js';
import { withCallIndex } from '../errors/with-call-index.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Storage } from '../model/storage/storage.js';
import type { Resource } from '../model/surface/surface.js';

/**
 * Makes a missing value that no client could have given what it is: a fault of the host's, answered 500 and logged. The database requires a column
 * that the schema lacks, or that nobody may write.
 *
 * Any other error is unchanged. Where the database does not say which column it is, it is the host's fault, too: what the schema requires of a
 * client is asked for before.
 */
export function blameLackingColumn(error: ApiError, model: ResourceModel): ApiError {
  const [{ code }] = error.problems;
  if (code !== 'invalid-value' || !error.orm || !isMissingValue(error.cause)) return error;
  const missing = missingColumn(error.cause);
  if (missing && model.resources.some((resource) => mayWrite(resource, missing, model.storage))) return error;
  const fault = new ApiError('unknown-error', 'An unexpected error occurred.', { orm: error.orm, cause: error.cause });
  return error.callIndex === undefined ? fault : withCallIndex(fault, error.callIndex);
}

/** A foreign key may be given as its relation. */
function mayWrite({ model, fields, relationships }: Resource, { column, table }: MissingColumn, storage: Storage): boolean {
  const stored = storage.byModel.get(model);
  const name = stored?.columns.get(column);
  if (stored === undefined || name === undefined || (table !== undefined && table !== stored.table)) return false;
  const ofKey = relationships.filter((relation) => stored.relations.get(relation.name)?.foreignKey?.fields.includes(name));
  return [fields.get(name), ...ofKey].some((field) => field !== undefined && (field.rights.create || field.rights.update));
}
