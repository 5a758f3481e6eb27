import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { resourceSchema as blogSchema } from '../../../sample/blog/src/generated/resource-schema.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { documentOf } from './documents.js';
import { operationDigests } from './expanded-operations.js';

/** The digest of each operation, by the name of its schema. */
const FILE = fileURLToPath(new URL('expanded-operations.json', import.meta.url));

const SCHEMAS = { blog: blogSchema, widest: resourceSchema };

// A change to the contract of an operation updates the file. A change to how documents share their parts alone does not.
describe('the operations of a document, without their references', () => {
  const digests = Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, operationDigests(documentOf(schema))]));

  it('are those of the file, which UPDATE_DIGESTS=1 writes', async () => {
    if (process.env['UPDATE_DIGESTS'] !== undefined) await writeFile(FILE, `${JSON.stringify(digests, undefined, 2)}\n`);
    const stored = JSON.parse(await readFile(FILE, 'utf8')) as typeof digests;
    for (const [name, operations] of Object.entries(digests)) {
      const all = Object.keys({ ...operations, ...stored[name] });
      expect(all.filter((operation) => operations[operation] !== stored[name]?.[operation])).toEqual([]);
    }
  });

  it('have a digest that depends on every constraint, and not on what is shared', () => {
    const document = (schema: object, components: object = {}): never =>
      ({
        paths: { '/': { get: { responses: { 200: { content: { json: { schema } } } } } } },
        components: { schemas: components },
      }) as never;
    const digestOf = (...parts: Parameters<typeof document>): string | undefined => operationDigests(document(...parts))['GET /'];
    const [id, name] = [{ id: { type: 'integer', minimum: 1 } }, { name: { type: 'string' } }];
    const whole = digestOf({ type: 'object', properties: { ...id, ...name }, required: ['id', 'name'] });
    const [Id, reference] = [{ type: 'object', properties: id, required: ['id'] }, { $ref: '#/components/schemas/Id' }];
    const narrowed = { type: 'object', properties: { ...name, id: { type: 'integer', minimum: 2 } }, required: ['name'] };
    expect(digestOf({ allOf: [reference, { type: 'object', properties: name, required: ['name'] }] }, { Id })).toBe(whole);
    expect(digestOf({ allOf: [reference, narrowed] }, { Id })).not.toBe(whole);
    expect(digestOf(reference, { Id })).toBe(digestOf(Id));
    expect(digestOf(reference, { Id: { ...Id, required: [] } })).not.toBe(digestOf(Id));
  });
});
