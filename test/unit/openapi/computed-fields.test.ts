import { expect, it } from '@jest/globals';
import { modelOf, ID, scalar, schemaOf } from '../model/schema-builder.js';
import { documentOf } from './documents.js';
import { expandedSchema } from './expanded-operations.js';

const document = documentOf(schemaOf({ User: modelOf({ id: ID, name: scalar('String') }) }), {
  resources: { User: { computed: { fullName: 'String', since: 'DateTime?' } } },
});

/** Returns the names of the schemas that have a member or a value of that name, at any depth in them or in a schema of their `allOf`. */
function schemasWith(name: string): readonly string[] {
  return Object.entries(document.components.schemas).flatMap(([schema, value]) =>
    JSON.stringify(expandedSchema({ ...value }, document)).includes(`"${name}"`) ? [schema] : [],
  );
}

it('describes computed fields where documents, rows and selections are described, and nowhere else', () => {
  expect(schemasWith('fullName')).toEqual(['User', 'UserAttributes', 'UserOmit', 'UserSelect']);
});

it('describes their types', () => {
  expect(expandedSchema({ ...document.components.schemas['User'] }, document)).toMatchObject({
    properties: { fullName: { type: 'string' }, since: { type: ['string', 'null'], format: 'date-time' } },
  });
});

it('offers them in sparse fieldsets, and in no other parameter', () => {
  const { parameters } = document.components;
  expect(Object.keys(parameters).filter((name) => JSON.stringify(parameters[name]).includes('fullName'))).toEqual(['Fields']);
});
