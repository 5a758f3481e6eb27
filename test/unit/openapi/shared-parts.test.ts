import { arrayOf } from '../../../lib/openapi/json-schema.js';
import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { BLOG, ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';
import { documentOf, manyModels, operationsOf } from './documents.js';
import { expandedSchema } from './expanded-operations.js';

const FIELDS = {
  id: ID,
  title: scalar('String'),
  isOpen: scalar('Boolean'),
  size: scalar('Int'),
  note: scalar('Json', { optional: true }),
};

/** The document of models with the same fields, of which the first has one more. */
function documentOfAlike(count: number): OpenApiDocument {
  const models = Array.from({ length: count }, (_, index) => [
    `Model${index}`,
    modelOf(index === 0 ? { ...FIELDS, slug: scalar('String') } : FIELDS),
  ]);
  return documentOf(schemaOf(Object.fromEntries(models) as Parameters<typeof schemaOf>[0]));
}

const referTo = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

describe('a document describes once', () => {
  const { schemas } = documentOf(BLOG).components;

  it('the filters on a field that ten models have, and no others', () => {
    const [few, many] = [documentOfAlike(9), documentOfAlike(10)];
    const { allOf, properties = {} } = many.components.schemas['Model0Filter'] ?? {};
    expect(allOf).toContainEqual(referTo('TitleFieldFilter'));
    expect(Object.keys(properties).filter((name) => !name.startsWith('slug'))).toEqual([]);
    expect(Object.keys(few.components.schemas).filter((name) => name.endsWith('FieldFilter'))).toEqual([]);
    const [whole, merged] = [few, many].map((document) => expandedSchema({ ...document.components.schemas['Model0Filter'] }, document));
    expect(merged?.['properties']).toEqual(whole?.['properties']);
  });

  it.each([
    ['the rows that are read', 'PostRowsArgs', ['FindMany', 'Count', 'Aggregate']],
    ['the selection of a record', 'PostSelectionArgs', ['FindMany', 'FindUnique', 'Create', 'Update', 'Upsert', 'Delete']],
    ['the selection of written records', 'PostManyAndReturnDefaultArgs', ['CreateManyAndReturn', 'UpdateManyAndReturn']],
    ['aggregates', 'PostAggregatesArgs', ['Aggregate', 'GroupBy']],
  ])('%s', (_, name, operations) => {
    for (const operation of operations) expect(schemas[`Post${operation}Args`]?.allOf).toContainEqual(referTo(name));
  });

  it('the fields that several aggregate functions accept', () => {
    const alike = documentOfAlike(1).components.schemas;
    expect(alike['Model0CountAggregateInput']).toEqual({
      allOf: [referTo('Model0MinMaxAggregateInput'), objectOfFlags(['isOpen', 'note', '_all'])],
    });
    expect(alike['Model0MinMaxAggregateInput']).toEqual({
      allOf: [referTo('Model0AvgSumAggregateInput'), objectOfFlags(['title', 'slug'])],
    });
    expect(alike['Model0CountOrderByAggregateInput']?.allOf?.[0]).toEqual(referTo('Model0OrderedOrderByAggregateInput'));
    expect(alike['Model0OrderedOrderByAggregateInput']?.allOf?.[0]).toEqual(referTo('Model0NumericOrderByAggregateInput'));
  });

  it('the orders by an aggregate function without the fields that it does not accept', () => {
    const document = documentOf(schemaOf({ Post: modelOf({ id: ID, isOpen: scalar('Boolean') }) }));
    const { properties } = expandedSchema({ ...document.components.schemas['PostOrderByWithAggregationInput'] }, document);
    const fieldsOf = (name: string): readonly string[] => {
      const order = (properties as Readonly<Record<string, object>>)[name];
      return Object.keys(expandedSchema({ ...order }, document)['properties'] ?? {});
    };
    expect([fieldsOf('_count'), fieldsOf('_max')]).toEqual([['id', 'isOpen'], ['id']]);
  });

  it('the id of all models with a number, and the included resources', () => {
    const document = documentOf(manyModels(3));
    expect(Object.keys(document.components.parameters).filter((name) => name.endsWith('Id'))).toEqual(['Id']);
    expect(JSON.stringify(document.components.schemas['Model0Document'])).not.toContain('included');
    expect(document.components.schemas['DocumentMembers']?.properties).toMatchObject({ included: arrayOf(referTo('IncludedResource')) });
  });

  it('the attributes of a resource, of a row and of a group', () => {
    const alike = documentOfAlike(1).components.schemas;
    const attributes = referTo('Model0Attributes');
    expect(alike['Model0Resource']?.properties?.['attributes']).toEqual(attributes);
    for (const schema of [alike['Model0'], alike['Model0GroupsResult']?.properties?.['data']?.items])
      expect(schema?.allOf).toContainEqual(attributes);
  });

  it('what PUT and errors say, in few words', () => {
    const document = documentOf(BLOG);
    const puts = [...operationsOf(document)].filter(([name]) => name.startsWith('PUT'));
    expect(new Set(puts.map(([, { summary }]) => summary))).toEqual(new Set(['The same as PATCH']));
    expect(Object.keys(document.components.responses)).toEqual(expect.arrayContaining(['Rest404', 'RestError', 'Rpc404', 'RpcError']));
  });
});

function objectOfFlags(names: readonly string[]): object {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }])) };
}
