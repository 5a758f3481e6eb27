import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { ResourceApiModule, type ResourceApiOptions, type ResourceSchema } from 'nestjs-resource-api';
import { PrismaClient } from '../../support/generated/prisma/client.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { closeAll, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);
afterEach(() => {
  jest.restoreAllMocks();
});

/** A client that is never connected, because the test reads only its data model. */
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' }) });

const FOREIGN = "The option `schema` does not fit the data client: the client lacks the model 'Article'";
const REMEDY = 'Run `prisma generate`, which writes both, and start again';

/** The schema with a model that the Prisma client does not have. */
const stale: ResourceSchema = { ...resourceSchema, models: { Article: tinySchema.models.User, ...resourceSchema.models } };

describe.each(PLATFORMS)('a schema that differs from that of the Prisma client, on %s', (platform) => {
  function start(options: Pick<ResourceApiOptions, 'schema' | 'getClient' | 'bootClient'>) {
    return startTinyApp(platform, [ResourceApiModule.forRoot({ ...options, rpc: true })]);
  }

  it('is a configuration error at boot if getClient has no parameter', async () => {
    await expect(start({ schema: stale, getClient: () => prisma })).rejects.toThrow(FOREIGN);
    await expect(start({ schema: stale, getClient: async () => Promise.resolve(prisma.$extends({})) })).rejects.toThrow(REMEDY);
  });

  it('is a configuration error at boot with bootClient', async () => {
    await expect(start({ schema: stale, getClient: (_request) => prisma, bootClient: prisma })).rejects.toThrow(FOREIGN);
  });

  it('is a configuration error at boot also with forRootAsync', async () => {
    const module = ResourceApiModule.forRootAsync({ rpc: true, useFactory: () => ({ schema: stale, getClient: () => prisma }) });
    await expect(startTinyApp(platform, [module])).rejects.toThrow(FOREIGN);
  });

  it('makes each request a 500 otherwise, and is logged with the solution', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { http } = await start({ schema: stale, getClient: (_request) => prisma });
    const { body } = await http.get('/user/findMany').expect(500);
    expect(JSON.stringify(body)).not.toContain('Article');
    await http.get('/user/count').expect(500);
    expect(log).toHaveBeenCalledWith(expect.stringContaining(FOREIGN), expect.anything());
    expect(log).toHaveBeenCalledTimes(2);
  });

  it('is no error at boot if getClient fails without a request', async () => {
    const getClient = (...[request]: readonly unknown[]) => (request ? fakeClient() : Promise.reject(new Error('no request')));
    const { http } = await start({ schema: tinySchema, getClient: getClient });
    await http.get('/post/findMany').expect(200);
  });

  it('is not checked for a fake client', async () => {
    const { http } = await start({ schema: stale, getClient: () => fakeClient() });
    await http.get('/article/findMany').expect(500);
    const { http: tiny } = await start({ schema: tinySchema, getClient: () => fakeClient() });
    await tiny.get('/post/findMany').expect(200);
  });
});

describe('the hash of the schema', () => {
  it('causes no warning if it equals that of the client', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await startTinyApp('express', [ResourceApiModule.forRoot({ schema: resourceSchema, getClient: () => prisma })]);
    expect(warn.mock.calls.filter(([line]) => String(line).includes('different texts'))).toEqual([]);
  });

  it('causes a warning if it differs from that of the client', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const schema = { ...resourceSchema, hash: '0'.repeat(64) };
    await startTinyApp('express', [ResourceApiModule.forRoot({ schema, getClient: () => prisma })]);
    expect(warn).toHaveBeenCalledWith(
      expect.stringMatching(/^\/.*: The option `schema` and the data client were generated from different texts of the Prisma schema/),
    );
  });
});
