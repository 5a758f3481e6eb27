import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { resourceSchema as blogSchema } from '../../../sample/blog/src/generated/resource-schema.js';
import { sample } from '../../support/sample.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { belongsTo, BLOG, enumeration, hasMany, ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';
import { documentOf, operationsOf, resolve } from './documents.js';
import { expandedSchema } from './expanded-operations.js';

const MODELS = 300;
const STYLES = ['rest', 'rpc'] as const;

const small = (): Fields => ({
  id: ID,
  title: scalar('String'),
  note: scalar('String', { optional: true }),
  count: scalar('Int'),
  createdAt: scalar('DateTime'),
});

/** Each belongs to the next model, and has the previous one. */
const large = (index: number): Fields => ({
  ...small(),
  slug: scalar('String'),
  price: scalar('Decimal'),
  isOpen: scalar('Boolean'),
  parentId: scalar('Int', { optional: true }),
  parent: belongsTo(`Model${(index + 1) % MODELS}`, 'children', { fields: ['parentId'], optional: true, relation: `Relation${index}` }),
  children: hasMany(`Model${(index + MODELS - 1) % MODELS}`, 'parent', { relation: `Relation${(index + MODELS - 1) % MODELS}` }),
});

const larger = (index: number): Fields => ({ ...large(index), publishedAt: scalar('DateTime', { optional: true }) });

type Fields = Parameters<typeof modelOf>[0];

describe.each([
  ['the blog', blogSchema],
  ['the widest schema', resourceSchema],
])('the document of %s', (_, schema) => {
  const document = documentOf(schema);

  it('is valid OpenAPI 3.1', async () => {
    const plain = JSON.parse(JSON.stringify(document)) as Parameters<Validator['validate']>[0];
    const { valid, errors } = await new Validator().validate(plain);
    expect([valid, errors && JSON.stringify(errors).slice(0, 500)]).toEqual([true, undefined]);
  });

  it('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, $ref = '']) => ({ $ref }));
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((reference) => resolve(document, reference) === undefined)).toEqual([]);
  });

  it('gives every operation a unique id that is an identifier in any language', () => {
    const ids = [...operationsOf(document).values()].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[A-Za-z][A-Za-z0-9_]*$/.test(id))).toEqual([]);
  });
});

describe('createOpenApiDocument', () => {
  it('has a concrete path for every type, relationship and operation', () => {
    const operations = [...operationsOf(documentOf(BLOG)).keys()];
    expect(operations).toEqual(
      expect.arrayContaining([
        'GET /rest/post',
        'POST /rest/post',
        'PATCH /rest/post/{id}',
        'PUT /rest/post/{id}',
        'DELETE /rest/post/{id}',
        'GET /rest/post/{id}/author',
        'POST /rest/post/{id}/relationships/tags',
        'GET /rpc/post/findMany',
        'DELETE /rpc/post/deleteMany',
        'POST /rpc/$transaction/sequential',
      ]),
    );
  });

  it('omits hidden models, hidden fields and closed actions', () => {
    const document = documentOf(BLOG, { resources: { User: 'hidden', Post: { actions: ['read'], fields: { title: 'hidden' } } } });
    const text = JSON.stringify(document);
    expect(/.{20}(?:user|author).{20}/i.exec(text)?.[0]).toBeUndefined();
    const posts = [...operationsOf(document).keys()].filter((operation) => / \/\w+\/post\b/.test(operation));
    expect(posts.filter((operation) => !operation.startsWith('GET'))).toEqual([]);
    expect(Object.keys(document.components.schemas)).not.toContain('PostCreateInput');
    expect(JSON.stringify(document.components.schemas['PostFilter'])).not.toContain('title');
  });

  it('has the allowed operators of a filter, and no others', () => {
    const schema = schemaOf({ User: modelOf({ id: ID, email: scalar('String') }) });
    const document = documentOf(schema, { resources: { User: { fields: { email: { filter: ['equals', 'in'] } } } } });
    const names = Object.keys(document.components.schemas['UserFilter']?.properties ?? {});
    expect(names.filter((name) => name.startsWith('email'))).toEqual(['email', 'email$ne', 'email$in', 'email$notIn']);
    const where = JSON.stringify(expandedSchema({ ...document.components.schemas['UserWhereInput'] }, document));
    expect(where).toContain('"email":{"anyOf":[{"type":"string"},');
    expect(where).not.toContain('contains');
  });

  it('has the type of each field', () => {
    const fields = {
      id: ID,
      title: scalar('String'),
      subtitle: scalar('String', { optional: true }),
      size: scalar('BigInt'),
      kind: enumeration('Kind'),
      labels: scalar('String', { list: true }),
    };
    const document = documentOf(schemaOf({ Post: modelOf(fields) }, { Kind: ['NEWS', 'ESSAY'] }));
    const { schemas } = document.components;
    expect(expandedSchema({ ...schemas['Post'] }, document)['properties']).toMatchObject({
      title: { type: 'string' },
      subtitle: { type: ['string', 'null'] },
      size: { $ref: '#/components/schemas/BigInt' },
      labels: { type: 'array', items: { type: 'string' } },
    });
    expect(schemas['BigInt']).toMatchObject({ type: 'string', format: 'int64' });
    expect(schemas['PostCreateManyInput']?.required).toEqual(['title', 'size', 'kind']);
  });

  sample.omitted.it('has schemas that are JSON Schema', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false });
    ajv.addVocabulary(['tags', 'paths', 'components', 'openapi', 'info']);
    const document = documentOf(BLOG);
    ajv.addSchema({ ...document, $id: 'api' });
    for (const name of Object.keys(document.components.schemas)) ajv.compile({ $ref: `api#/components/schemas/${name}` });
  });

  it('has the given servers and security schemes', () => {
    const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };
    const stated = { servers: [{ url: 'https://api.example.com' }], security: [{ bearer: [] }] };
    expect(documentOf(BLOG, {}, { ...stated, securitySchemes })).toMatchObject({ ...stated, components: { securitySchemes } });
  });

  sample.omitted.it.each([
    ['5 attributes, both styles,', 10_300_000, small, STYLES],
    ['9 attributes and 2 relations, both styles,', 17_300_000, large, STYLES],
    ['10 attributes and 2 relations, in REST,', 5_900_000, larger, ['rest']],
    ['10 attributes and 2 relations, in RPC,', 11_800_000, larger, ['rpc']],
  ] as const)('describes 300 models of %s within %d bytes', (_, bytes, fieldsOf, styles) => {
    const models = Array.from({ length: MODELS }, (_, index) => [`Model${index}`, modelOf(fieldsOf(index))] as const);
    const document = documentOf(schemaOf(Object.fromEntries(models)), {}, { styles });
    const tags = document.tags.filter(({ name }) => name.startsWith('Model'));
    expect([tags.length, JSON.stringify(document).length < bytes]).toEqual([MODELS * styles.length, true]);
  });

  it('describes one style exactly as in the document of both', () => {
    const both = documentOf(BLOG);
    for (const style of STYLES) {
      const { paths, components } = documentOf(BLOG, {}, { styles: [style] });
      expect(paths).toEqual(Object.fromEntries(Object.entries(both.paths).filter(([path]) => path.startsWith(`/${style}/`))));
      expect(both.components.schemas).toMatchObject(components.schemas);
    }
  });

  it('has no lists and no counts of them in the rows of createManyAndReturn and updateManyAndReturn', () => {
    const { schemas } = documentOf(BLOG).components;
    const argumentsOf = (name: string): string => JSON.stringify([schemas[`Post${name}Args`], schemas['PostManyAndReturnDefaultArgs']]);
    for (const name of ['CreateManyAndReturn', 'UpdateManyAndReturn']) expect(argumentsOf(name)).toContain('PostSelectManyAndReturn');
    expect(Object.keys(schemas['PostInclude']?.properties ?? {})).toEqual(expect.arrayContaining(['author', 'tags', '_count']));
    expect(Object.keys(schemas['PostIncludeManyAndReturn']?.properties ?? {})).toEqual(['author']);
  });
});
