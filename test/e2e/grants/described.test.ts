import type { ApiDescription, FieldRight, ModelDescription } from '../../../lib/client/index.js';
import { createOpenApiDocument } from '../../../lib/index.js';
import type { JsonSchema } from '../../../lib/openapi/json-schema.js';
import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { expandedSchema } from '../../unit/openapi/expanded-operations.js';
import { GRANT_SETS, GRANTED_RESOURCES, GRANTS } from './support/granted-resources.js';

/** The operation of each right of a field, and the suffix of the schema whose fields have the right. */
const SCHEMAS: Readonly<Record<FieldRight, readonly [operation: string, suffix: string]>> = {
  read: ['findMany', ''],
  filter: ['findMany', 'WhereInput'],
  sort: ['findMany', 'OrderByWithRelationInput'],
  create: ['create', 'CreateInput'],
  update: ['update', 'UpdateInput'],
};
const RIGHTS = Object.keys(SCHEMAS) as FieldRight[];
const NO_FIELDS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', '_count']);

onPlatforms('$describe lists the same operations, fields and keys as the OpenAPI document of the same grants', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources: GRANTED_RESOURCES, grants: GRANTS } });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  async function descriptionFor(held: readonly string[]): Promise<ApiDescription> {
    const { data } = await app.rpc.send({ method: 'GET', path: '/$describe', headers: { 'X-Grants': held.join(' ') } });
    return data as ApiDescription;
  }

  it.each(GRANT_SETS.map((held) => [held.join(' and ') || 'no grant', held] as const))('to a caller with %s', async (_, held) => {
    const { models } = await descriptionFor(held);
    const document = createOpenApiDocument(app.nest, { grants: held, styles: ['rpc'] });
    const paths = createOpenApiDocument(app.nest, { grants: held, styles: ['rest'] }).paths;
    const ofModels = models.flatMap(({ model, operations, actions }) =>
      [...operations, ...actions.map(({ name }) => name)].map((name) => `/api/rpc/${model}/${name}`),
    );
    expect(ofModels.sort()).toEqual(
      Object.keys(document.paths)
        .filter((path) => !path.includes('$'))
        .sort(),
    );
    for (const model of models) {
      expect(namesByRight(model)).toEqual(documentedNames(model, document));
      expect(requiredBy(model)).toEqual(documentedRequired(model, document));
      expect(keysOf(model)).toEqual(documentedKeys(model, document));
      if (model.operations.includes('findMany')) expect(Object.keys(paths)).toContain(`/api/rest/${model.type}`);
    }
  });

  it('differs for each set of grants', async () => {
    const texts = await Promise.all(GRANT_SETS.map(async (held) => JSON.stringify(await descriptionFor(held))));
    expect(new Set(texts).size).toBe(GRANT_SETS.length);
  });
});

type Names = Readonly<Record<string, readonly string[]>>;

function namesByRight({ fields, relations }: ModelDescription): Names {
  const all = [...fields, ...relations];
  return Object.fromEntries(
    RIGHTS.map((right) => [
      right,
      all
        .filter(({ rights }) => rights.includes(right))
        .map(({ name }) => name)
        .sort(),
    ]),
  );
}

function documentedNames(model: ModelDescription, document: OpenApiDocument): Names {
  return Object.fromEntries(
    RIGHTS.map((right) => {
      const [operation, suffix] = SCHEMAS[right];
      const properties = model.operations.includes(operation) ? propertiesOf(model, suffix, document) : [];
      return [right, properties.filter((name) => !NO_FIELDS.has(name)).sort()];
    }),
  );
}

/** Prisma's name of a model. */
function modelName({ model }: ModelDescription): string {
  return model.slice(0, 1).toUpperCase() + model.slice(1);
}

function schemaOf(model: ModelDescription, suffix: string, document: OpenApiDocument): JsonSchema {
  return expandedSchema({ ...document.components.schemas[modelName(model) + suffix] }, document);
}

function propertiesOf(model: ModelDescription, suffix: string, document: OpenApiDocument): readonly string[] {
  return Object.keys(schemaOf(model, suffix, document).properties ?? {});
}

function requiredBy({ fields, relations }: ModelDescription): readonly string[] {
  const linked = new Set(relations.flatMap(({ foreignKey = [] }) => foreignKey));
  return fields
    .filter(({ name, rights, hasDefault }) => rights.includes('create') && !hasDefault && !linked.has(name))
    .map(({ name }) => name);
}

function documentedRequired(model: ModelDescription, document: OpenApiDocument): readonly string[] {
  return model.operations.includes('create') ? (schemaOf(model, 'CreateInput', document).required ?? []) : [];
}

function keysOf({ keys }: ModelDescription): readonly string[] {
  return keys.map(({ name }) => name);
}

function documentedKeys(model: ModelDescription, document: OpenApiDocument): readonly string[] {
  return model.operations.includes('findMany') ? propertiesOf(model, 'CursorInput', document) : [];
}
