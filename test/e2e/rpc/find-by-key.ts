import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import { selectFields } from '../../../lib/query/fields.js';
import { uniqueCondition } from '../../../lib/query/key.js';
import type { FindUnique } from '../../../lib/query/read.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const STORAGE = buildStorage(resourceSchema);

export interface Wanted {
  readonly model?: string;
  /** The field of a key, and its value. */
  readonly by?: string;
  readonly fields?: readonly string[];
  readonly isRequired?: boolean;
}

/** Returns a `findUnique` of the schema. */
export function find(value: unknown, { model: name = 'User', by = 'id', fields = [by], isRequired = false }: Wanted = {}): FindUnique {
  const model = storedModel(STORAGE, name);
  const where = uniqueCondition(model, { name: by, fields: [{ name: by }] }, { [by]: value });
  return { kind: 'find-unique', model, where, selection: selectFields(model, fields), isRequired };
}
