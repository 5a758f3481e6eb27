import { jest } from '@jest/globals';
import { type CanActivate, Controller, type INestApplication, Module, Post, Req } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ResourceApiModule } from 'nestjs-resource-api';
import { Agent, request } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, type TinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

const JSON_API = 'application/vnd.api+json';
const LARGE = JSON.stringify({ data: 'x'.repeat(3000) });

const guard = { canActivate: jest.fn<CanActivate['canActivate']>(() => true) };

/** A route of the application below the prefix of the API. */
@Controller('api/rest/post/import')
class ImportController {
  @Post()
  import(@Req() { body }: { body: unknown }): string {
    return typeof body;
  }
}

@Module({ controllers: [ImportController] })
class ApplicationModule {}

const api = (prefix: string) => ({
  schema: tinySchema,
  getClient: () => fakeClient(),
  rest: { prefix: `${prefix}/rest`, endpoint },
  rpc: { prefix: `${prefix}/rpc` },
  limits: { maxBodySize: '2kb' },
  guards: [guard],
});

describe.each(PLATFORMS)('a body that cannot be read on %s', (platform) => {
  beforeEach(() => guard.canActivate.mockClear());

  const start = (imports = [ApplicationModule, ResourceApiModule.forRoot(api('api'))]): Promise<TinyApp> =>
    startTinyApp(platform, imports, {
      configure: (app) => {
        app.enableCors();
      },
    });

  describe.each([
    ['REST', '/api/rest/post', JSON_API],
    ['RPC', '/api/rpc/post/create', 'application/json'],
  ])('of %s', (_, path, type) => {
    it.each<[string, Record<string, string>, string, number]>([
      ['over the limit', {}, LARGE, 413],
      ['in an unknown encoding', { 'Content-Encoding': 'rot13' }, '{}', 415],
      ['with a wrong Content-Encoding', { 'Content-Encoding': 'gzip' }, '{}', 400],
      ['of malformed JSON', {}, '{"data":', 400],
    ])('%s is rejected with the headers of middleware of the application', async (_case, headers, body, status) => {
      const { http } = await start();
      const response = await http.post(path).set('Origin', 'http://app.test').set('Content-Type', type).set(headers).send(body);
      expect(response.status).toBe(status);
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['content-type']).toContain(type);
    });
  });

  it('is answered with the exceeded limit and its value', async () => {
    const { http } = await start();
    const text = 'The request body is larger than limits.maxBodySize allows: 2kb.';
    const rest = await http.post('/api/rest/post').set('Content-Type', JSON_API).send(LARGE).expect(413);
    expect(rest.body.errors).toEqual([{ code: 'payload-too-large', status: 413, title: 'Payload too large', detail: text }]);
    const rpc = await http.post('/api/rpc/post/create').send(JSON.parse(LARGE)).expect(413);
    expect(rpc.body.message).toBe(text);
    const batch = await http
      .post('/api/rpc/$transaction/sequential')
      .send([JSON.parse(LARGE)])
      .expect(413);
    expect(batch.body.message).toBe(text);
  });

  it('is rejected before the guards if it is too large, and after them if it is malformed', async () => {
    const { http } = await start();
    const send = (body: string) => http.post('/api/rest/post').set('Content-Type', JSON_API).send(body);
    await send(LARGE).expect(413);
    expect(guard.canActivate).not.toHaveBeenCalled();
    await send('{').expect(400);
    expect(guard.canActivate).toHaveBeenCalledTimes(1);
  });

  it('is rejected also at unknown paths', async () => {
    const { http } = await start();
    const response = await http.post('/api/rest/post/1/no/such/path').set('Content-Type', JSON_API).send(LARGE).expect(413);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.body.errors[0].code).toBe('payload-too-large');
  });

  it('is rejected by both of two nested prefixes', async () => {
    @Module({})
    class Inner {}
    const inner = { ...ResourceApiModule.forRoot(api('api/rest/post')), module: Inner };
    const { http } = await start([ResourceApiModule.forRoot(api('api')), inner]);
    for (const path of ['/api/rest/post', '/api/rest/post/rest/post']) {
      const response = await http.post(path).set('Content-Type', JSON_API).send(LARGE).expect(413);
      expect(response.headers).toMatchObject({ 'access-control-allow-origin': '*', 'content-type': JSON_API });
    }
  });

  it('does not prevent the next request on the same connection', async () => {
    const { app } = await start();
    await app.listen(0, '127.0.0.1');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const large = Array.from({ length: 100 }, () => 'x'.repeat(50_000));
    const answers: Answer[] = [];
    for (const chunks of [large, ['{"data":{"type":"user"}}'], large, ['{']]) answers.push(await send({ app, agent }, chunks));
    agent.destroy();
    expect(answers.map(({ status }) => status)).toEqual([413, 409, 413, 400]);
    expect(new Set(answers.map(({ port }) => port)).size).toBe(1);
  });
});

it('is rejected for routes of the application below the prefix, too, on Express, which parses it before it routes', async () => {
  const seen = jest.fn();
  const { http } = await startTinyApp('express', [ApplicationModule, ResourceApiModule.forRoot(api('api'))], {
    configure: (app) =>
      app.use((_request: Request, _response: Response, next: NextFunction) => {
        seen();
        next();
      }),
  });
  await http.post('/api/rest/post/import').send({ text: 'x' }).expect(201, 'object');
  const response = await http.post('/api/rest/post/import').set('Content-Type', 'application/json').send(LARGE).expect(413);
  expect(response.body).toMatchObject({ statusCode: 413 });
  expect(seen).toHaveBeenCalledTimes(2);
});

interface Connection {
  readonly app: INestApplication;
  readonly agent: Agent;
}

interface Answer {
  readonly status: number | undefined;
  /** The client's port of the connection that it came by. */
  readonly port: number | undefined;
}

/** Sends a body in chunks without a Content-Length. */
function send({ app, agent }: Connection, chunks: readonly string[]): Promise<Answer> {
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const options = { agent, host: '127.0.0.1', port, method: 'POST', path: '/api/rest/post', headers: { 'Content-Type': JSON_API } };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const answer = { status: response.statusCode, port: response.socket.localPort };
      response.resume().once('end', () => {
        resolve(answer);
      });
    });
    sent.once('error', reject);
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}
