import { ApiError } from '../errors/api-error.js';
import { isMissingValue, type MissingColumn, missingColumn } from '../errors/missing-column.js';
import { withCallIndex } from '../errors/with-call-index.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Storage } from '../model/storage/storage.js';
import type { Resource } from '../model/surface/surface.js';

/**
 * Converts the error of a missing value that no client could have sent to an error of the application, which is answered with 500 and
 * logged. Such an error occurs if the database requires a value for a column that the schema lacks, or that no resource may write.
 *
 * Other errors are returned unchanged. If the database does not name the column, the application is at fault, too. Values that the schema
 * requires of a client have been validated before.
 */
export function toMissingColumnError(error: ApiError, model: ResourceModel): ApiError {
  const [{ code }] = error.problems;
  if (code !== 'invalid-value' || !error.orm || !isMissingValue(error.cause)) return error;
  const missing = missingColumn(error.cause);
  if (missing && model.resources.some((resource) => mayWrite(resource, missing, model.storage))) return error;
  const fault = new ApiError('unknown-error', 'An unexpected error occurred.', { orm: error.orm, cause: error.cause });
  return error.callIndex === undefined ? fault : withCallIndex(fault, error.callIndex);
}

/** Whether clients may write the column, as a field or as the relation whose foreign key it is. */
function mayWrite({ model, fields, relationships }: Resource, { column, table }: MissingColumn, storage: Storage): boolean {
  const stored = storage.byModel.get(model);
  const name = stored?.columns.get(column);
  if (stored === undefined || name === undefined || (table !== undefined && table !== stored.table)) return false;
  const ofKey = relationships.filter((relation) => stored.relations.get(relation.name)?.foreignKey?.fields.includes(name));
  return [fields.get(name), ...ofKey].some((field) => field !== undefined && (field.rights.create || field.rights.update));
}
