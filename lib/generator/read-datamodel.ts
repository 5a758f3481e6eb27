import type { DatabaseProvider, ResourceSchema, SchemaModel } from '../model/schema/resource-schema.js';
import type { DmmfDocument } from './dmmf.js';
import { MODEL_PRESETS, parseApiComment } from './parse-api-comment.js';
import { readDocumentation } from './read-documentation.js';
import { readEnum } from './read-enum.js';
import { readFields } from './read-fields.js';
import { readIgnored } from './read-ignored.js';
import { readKeys } from './read-keys.js';
import { readText } from './read-text.js';

type Operations = DmmfDocument['mappings']['modelOperations'][number];

/** The method that the Prisma client has exactly if it offers the action. */
const WRITES = [
  ['create', 'createMany'],
  ['update', 'updateMany'],
  ['delete', 'deleteMany'],
] as const satisfies readonly (readonly [string, keyof Operations])[];

/**
 * Reads the schema metadata from Prisma's description of a schema. What the Prisma client does not offer is left out: ignored models
 * and fields, columns of unsupported types, MongoDB's composite types, and keys that no `findUnique` can name.
 *
 * @param datamodel the text of the Prisma schema, for what the description leaves out: ignored fields, and the schemas of enums
 * @throws Error naming `Model.field` on an `@api.…` comment that means nothing there.
 */
export function readDatamodel(document: DmmfDocument, provider: DatabaseProvider, datamodel = ''): ResourceSchema {
  const { models, enums, indexes } = document.datamodel;
  const text = readText(datamodel, enums);
  const operations = new Map(document.mappings.modelOperations.map((entry) => [entry.model, entry]));
  return {
    version: 2,
    provider,
    enums: Object.fromEntries(enums.map((definition) => [definition.name, readEnum(definition, text)])),
    models: Object.fromEntries(
      models.map((model): [string, SchemaModel] => {
        const fields = readFields(model, models);
        const api = parseApiComment(model.documentation, model.name, MODEL_PRESETS);
        const constraints = indexes.filter((index) => index.model === model.name);
        return [
          model.name,
          {
            fields,
            ...(model.dbName && { table: model.dbName }),
            ...(model.schema && { schema: model.schema }),
            ...readDocumentation(model),
            ...readKeys(model, { fields, constraints }),
            ...readActions(operations.get(model.name)),
            ...readIgnored(model.name, text),
            ...(api && { api: { [api]: true } }),
          },
        ];
      }),
    ),
  };
}

/** The actions of a model, where the client lacks the methods of some. */
function readActions(operations: Operations | undefined): Pick<SchemaModel, 'actions'> {
  const writes = WRITES.filter(([, method]) => operations?.[method]).map(([action]) => action);
  return writes.length === WRITES.length ? {} : { actions: ['read', ...writes] };
}
