import { resourceSchema as blogSchema } from '../../../sample/blog/src/generated/resource-schema.js';
import { forSwaggerUi } from '../../../lib/openapi/for-swagger-ui.js';
import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { belongsTo, BLOG, hasMany, ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';
import { documentOf, operationsOf, resolve } from './documents.js';
import { expandedSchema } from './expanded-operations.js';
import { sample } from '../../support/sample.js';

/** How many objects and arrays a value has when each reference is replaced by its target. */
function expandedSize(document: OpenApiDocument, value: unknown, within: readonly string[] = []): number {
  if (typeof value !== 'object' || value === null) return 0;
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return Object.values(value).reduce((sum: number, member) => sum + expandedSize(document, member, within), 1);
  if (within.includes($ref)) throw new Error(`${$ref} is within itself: ${within.join(' → ')}`);
  return expandedSize(document, resolve(document, { $ref }), [...within, $ref]);
}

/** Models that are all related to each other. */
function meshOf(count: number): OpenApiDocument {
  const names = Array.from({ length: count }, (_, index) => `Model${index}`);
  const models = names.map((name, index) => {
    const parents = names
      .slice(index + 1)
      .map((parent) => [
        [`${parent}Id`, scalar('Int')] as const,
        [parent, belongsTo(parent, name, { fields: [`${parent}Id`], relation: `${name}To${parent}` })] as const,
      ]);
    const children = names.slice(0, index).map((child) => [child, hasMany(child, name, { relation: `${child}To${name}` })] as const);
    return [name, modelOf({ id: ID, ...Object.fromEntries([...parents.flat(), ...children]) })] as const;
  });
  return documentOf(schemaOf(Object.fromEntries(models)));
}

describe('forSwaggerUi', () => {
  it.each(
    sample.oneIn<readonly [string, () => OpenApiDocument]>(2, [
      ['the blog', () => documentOf(blogSchema)],
      ['30 models that are all related', () => meshOf(30)],
    ]),
  )('gives operations of %s that can be expanded', (_, make) => {
    const document = make();
    const shown = forSwaggerUi(document);
    const sizes = [...operationsOf(shown).values()].map((operation) => expandedSize(shown, operation));
    expect(Math.max(...sizes)).toBeLessThan(10_000);
  });

  it('has all operations, and no reference that leads nowhere', () => {
    const document = documentOf(BLOG);
    const shown = forSwaggerUi(document);
    expect(shown.paths).toEqual(document.paths);
    const references = [...JSON.stringify(shown).matchAll(/"\$ref":"([^"]+)"/g)].map(([, $ref = '']) => ({ $ref }));
    expect(references.filter((reference) => resolve(shown, reference) === undefined)).toEqual([]);
  });

  it('expands the members of an argument, and names the schema of a related record', () => {
    const shown = forSwaggerUi(documentOf(BLOG));
    const propertiesOf = (name: string): unknown => expandedSchema({ ...shown.components.schemas[name] }, shown)['properties'];
    expect(propertiesOf('PostFindManyArgs')).toMatchObject({
      where: { $ref: '#/components/schemas/PostWhereInput' },
      select: { $ref: '#/components/schemas/PostSelect' },
    });
    expect(propertiesOf('PostWhereInput')).toMatchObject({
      title: { $ref: '#/components/schemas/StringFilter' },
      author: { type: 'object', title: 'UserNullableScalarRelationFilter' },
    });
    expect(propertiesOf('PostSelect')).toMatchObject({
      title: { type: 'boolean' },
      author: { anyOf: [{ type: 'boolean' }, { type: 'object', title: 'UserOptionalDefaultArgs' }] },
    });
  });

  it('does not change the document', () => {
    const document = documentOf(BLOG);
    const text = JSON.stringify(document);
    forSwaggerUi(document);
    expect(JSON.stringify(document)).toBe(text);
  });
});
