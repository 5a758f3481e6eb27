import { VersioningType } from '@nestjs/common';
import { ResourceApiModule, type ResourceApiOptions } from '../../../lib/index.js';
import { assertNoLeak, type HiddenField } from '../../../lib/testing/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { long } from '../../support/long.js';
import { startTestApp, type TestAppOptions } from '../../support/test-app.js';

/** Of a model without relations to it, so that there are few probes. */
const TEXT: HiddenField = { model: 'Translation', field: 'text' };
const HIDDEN_TEXT = { Translation: { fields: { text: 'hidden' } } } as const;
const OPEN_TEXT = { Translation: { fields: { text: 'readOnly' } } } as const;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

beforeEach(() => database.reset());

afterAll(() => database.close());

async function probe(hidden: HiddenField, setup: Partial<TestAppOptions> = {}): Promise<void> {
  const app = await startTestApp({ platform: 'fastify', database, ...setup });
  try {
    await assertNoLeak(app.nest, hidden);
  } finally {
    await app.close();
  }
}

/** Returns a client without its data model, so that it may be used with another schema. */
function withoutDataModel<Client extends object>(client: Client): Client {
  return new Proxy(client, { get: (target, name) => (name === '_runtimeDataModel' ? undefined : (Reflect.get(target, name) as unknown)) });
}

const withResources = (resources: NonNullable<ResourceApiOptions['resources']>): Partial<TestAppOptions> => ({ options: { resources } });

long.describe('assertNoLeak', () => {
  it('fails where every response is a 404', async () => {
    const versioned: Partial<TestAppOptions> = {
      ...withResources(OPEN_TEXT),
      configure: (app) => {
        app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version', defaultVersion: '1' });
      },
    };
    await expect(probe(TEXT, versioned)).rejects.toThrow(/was answered 404: unless/);
    await expect(probe({ ...TEXT, headers: { 'X-Version': '1' } }, versioned)).rejects.toThrow(/Translation.text is not hidden/);
  });

  it('requests no more rows than the limits allow', async () => {
    await probe(TEXT, { options: { resources: HIDDEN_TEXT, rest: { pageSize: 2, maxPageSize: 3 }, limits: { maxTake: 2 } } });
  });

  it('finds a value that JSON escapes', async () => {
    const name = 'a "quoted"\nname';
    await database.prisma.tag.update({ where: { id: 1 }, data: { name } });
    await expect(
      probe({ model: 'Tag', field: 'posts', values: [name] }, withResources({ Tag: { fields: { posts: 'hidden' } } })),
    ).rejects.toThrow(/with the value 'a "quoted"/);
  });

  it('refuses an empty value, which every response contains', async () => {
    await expect(probe({ ...TEXT, values: [''] })).rejects.toThrow(/empty text/);
  });

  it.each(['country', 'countryCode'])('reports that the other side of Warehouse.%s is exposed', async (field) => {
    const hidden = { model: 'Warehouse', field };
    await expect(probe(hidden, withResources({ Warehouse: { fields: { country: 'hidden' } } }))).rejects.toThrow(
      /REST \/country\?include=warehouses: accepted with 200/,
    );
    await probe(hidden, withResources({ Warehouse: { fields: { country: 'hidden' } }, Country: { fields: { warehouses: 'hidden' } } }));
  });

  it('reports that the other side of a relation with a join table is exposed', async () => {
    const hidden = { model: 'Product', field: 'warehouses' };
    await expect(probe(hidden, withResources({ Product: { fields: { warehouses: 'hidden' } } }))).rejects.toThrow(
      /RPC warehouse\/findMany include: accepted/,
    );
    await probe(hidden, withResources({ Product: { fields: { warehouses: 'hidden' } }, Warehouse: { fields: { products: 'hidden' } } }));
  });

  it('reports an exposed foreign key that references a hidden id', async () => {
    const hidden = { model: 'Category', field: 'id' };
    const resources = { Category: { externalId: 'slug', fields: { id: 'hidden' } } } as const;
    await expect(probe(hidden, withResources({ ...resources, Post: { fields: { categoryId: 'readOnly' } } }))).rejects.toThrow(
      /REST \/post\?sort=categoryId: accepted with 200/,
    );
  });

  it('accepts an exposed foreign key where the list at its other side is hidden', async () => {
    await probe({ model: 'Country', field: 'warehouses' }, withResources({ Country: { fields: { warehouses: 'hidden' } } }));
  });

  it('probes the modules that have the field, beside modules without it', async () => {
    const { AuditEvent } = resourceSchema.models;
    const second = ResourceApiModule.forRoot({
      schema: { ...resourceSchema, models: { AuditEvent } },
      getClient: () => withoutDataModel(database.prisma),
      rpc: { prefix: 'second' },
    });
    await probe(TEXT, { ...withResources(HIDDEN_TEXT), imports: [second] });
    await expect(probe(TEXT, { ...withResources(OPEN_TEXT), imports: [second] })).rejects.toThrow(/Translation.text is not hidden/);
  });

  it("distinguishes a field called 'id' or 'type' from the members of JSON:API", async () => {
    await probe({ model: 'Tag', field: 'id' }, withResources({ Tag: { externalId: 'name', fields: { id: 'hidden' } } }));
    await probe({ model: 'AuditEvent', field: 'type' }, withResources({ AuditEvent: { fields: { type: 'hidden' } } }));
  });

  it('accepts an error that names a field which may be written', async () => {
    await probe(TEXT, withResources({ Translation: { fields: { text: 'writeOnly' } } }));
    await probe({ model: 'Product', field: 'name' }, withResources({ Product: { fields: { name: 'writeOnly' } } }));
  });

  it('writes nothing where a field has a similar name', async () => {
    const { name, ...fields } = resourceSchema.models.Tag.fields;
    const Tag = { ...resourceSchema.models.Tag, fields: { ...fields, name, named: { ...name, api: 'hidden' } } } as const;
    const schema = { ...resourceSchema, models: { ...resourceSchema.models, Tag } };
    // The column does not exist, so the client cannot omit it.
    const prisma = database.prisma.$extends({
      query: { tag: { $allOperations: ({ query, args }) => query('omit' in args ? { ...args, omit: {} } : args) } },
    });
    const before = await database.prisma.tag.count();
    await probe({ model: 'Tag', field: 'named' }, { options: { schema, getClient: () => withoutDataModel(prisma) } });
    expect(await database.prisma.tag.count()).toBe(before);
  });
});
