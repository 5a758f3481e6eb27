import { Logger } from '@nestjs/common';
import { ResourceApiModule } from 'nestjs-resource-api';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

const options = { schema: tinySchema, getClient: () => fakeClient(), rest: { prefix: 'api/rest', endpoint }, access: 'public' } as const;
const METHODS = ['GET', 'QUERY', 'POST', 'PATCH', 'PUT', 'DELETE'];

describe.each(PLATFORMS)('CORS on %s', (platform) => {
  let warn: jest.SpiedFunction<Logger['warn']>;
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(async () => {
    warn.mockRestore();
    await closeAll();
  });

  const preflight = async (
    cors: Parameters<Awaited<ReturnType<typeof startTinyApp>>['app']['enableCors']>[0],
    path = '/api/rest/post/1',
  ) => {
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)], {
      configure: (app) => {
        app.enableCors(cors);
      },
    });
    const allowed = [];
    for (const method of METHODS) {
      const response = await http.options(path).set('Origin', 'https://app.example.com').set('Access-Control-Request-Method', method);
      if (String(response.headers['access-control-allow-methods']).includes(method)) allowed.push(method);
    }
    const warnings = warn.mock.calls.map(([message]) => String(message)).filter((message) => message.startsWith('CORS'));
    return { allowed, warnings };
  };

  it('allows all methods of the API if they are named', async () => {
    expect(await preflight({ methods: METHODS })).toEqual({ allowed: METHODS, warnings: [] });
  });

  it('rejects PATCH and DELETE by default on Fastify, and logs one warning', async () => {
    const { allowed, warnings } = await preflight(undefined);
    if (platform === 'fastify') {
      expect(allowed).toEqual(['GET', 'POST']);
      expect(warnings).toEqual([
        'CORS has refused QUERY to a browser, because it allows only GET, HEAD, POST. ' +
          "Name all methods: app.enableCors({ methods: ['GET', 'QUERY', 'POST', 'PATCH', 'PUT', 'DELETE'] }).",
      ]);
    } else {
      expect(allowed).toEqual(METHODS.filter((method) => method !== 'QUERY'));
      expect(warnings).toEqual([]);
    }
  });

  it('logs no warning for other routes', async () => {
    expect((await preflight(undefined, '/elsewhere')).warnings).toEqual([]);
  });
});
