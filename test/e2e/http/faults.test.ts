import { jest } from '@jest/globals';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { type PlatformRequest, ResourceApiModule } from 'nestjs-resource-api';
import { gzipSync } from 'node:zlib';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

@Controller('echo')
class HostController {
  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

@Module({ controllers: [HostController] })
class ApplicationModule {}

const getClient = jest.fn((_request: PlatformRequest) => fakeClient());
const options = {
  schema: tinySchema,
  getClient,
  rest: { prefix: 'api/rest', endpoint },
  rpc: { prefix: 'api/rpc' },
  limits: { maxBodySize: '2kb' },
};
const JSON_API = 'application/vnd.api+json';

describe.each(PLATFORMS)('requests that reach no operation on %s', (platform) => {
  beforeEach(() => getClient.mockClear());

  const start = () => startTinyApp(platform, [ApplicationModule, ResourceApiModule.forRoot(options)]);

  it.each([
    ['malformed JSON', '{"data":', 400, 'invalid-payload'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'invalid-payload'],
    ['no body', '', 400, 'invalid-payload'],
    ['null', 'null', 400, 'invalid-payload'],
    ['a list', '[]', 400, 'invalid-payload'],
    ['a body over the limit', JSON.stringify({ data: 'x'.repeat(3000) }), 413, 'payload-too-large'],
  ])('answers %s as a JSON:API error', async (_, body, status, code) => {
    const { http } = await start();
    const response = await http
      .post('/api/rest/post')
      .set('Content-Type', JSON_API)
      .send(body as string);
    expect(response.headers['content-type']).toBe(JSON_API);
    expect(response.body).toEqual({ errors: [expect.objectContaining({ status, code })] });
    expect(response.status).toBe(status);
    expect(getClient).not.toHaveBeenCalled();
  });

  it.each([
    ['malformed JSON', '{"data":', 400],
    ['a list', '[]', 400],
    ['a body over the limit', JSON.stringify({ data: 'x'.repeat(3000) }), 413],
  ])('answers %s as an RPC error', async (_, body, status) => {
    const { http } = await start();
    const response = await http.post('/api/rpc/post/create').set('Content-Type', 'application/json').send(body);
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.body).toMatchObject({ message: expect.any(String), error: { message: expect.any(String) } });
    expect(getClient).not.toHaveBeenCalled();
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])('rejects a body as %s', async (type) => {
    const { http } = await start();
    const body = '{"data":{"type":"post","attributes":{"title":"x"}}}';
    await http.post('/api/rest/post').set('Content-Type', type).send(body).expect(415).expect('Content-Type', JSON_API);
    await http
      .post('/api/rpc/post/create')
      .set('Content-Type', type)
      .send(body)
      .expect(415)
      .expect('Content-Type', /^application\/json/);
    expect(getClient).not.toHaveBeenCalled();
  });

  it.each(['gzip', 'x-gzip', 'GZIP'])('inflates a body of the encoding %s, and counts its size inflated', async (encoding) => {
    const { http } = await start();
    const send = (body: object) =>
      http
        .post('/api/rest/post')
        .set('Content-Type', JSON_API)
        .set('Content-Encoding', encoding)
        .serialize(() => gzipSync(JSON.stringify(body)) as never)
        .send({});
    const small = await send({ data: { type: 'user', attributes: {} } });
    expect(small.body.errors[0].code).toBe('type-conflict');
    const bomb = await send({ data: 'x'.repeat(1_000_000) });
    expect(bomb.status).toBe(413);
  });

  it.each(['compress', 'identity2', 'gzip, gzip'])('rejects the encoding %s with 415 and Accept-Encoding', async (encoding) => {
    const { http } = await start();
    const refused = await http.post('/api/rest/post').set('Content-Type', JSON_API).set('Content-Encoding', encoding).send('{}');
    expect([refused.status, refused.headers['accept-encoding']]).toEqual([415, 'gzip, deflate, br']);
    expect(refused.body.errors[0].source).toEqual({ header: 'Content-Encoding' });
  });

  it('answers an undecodable path with 400, in JSON:API format except on Fastify', async () => {
    const { http } = await start();
    const response = await http.get('/api/rest/post/%zz').expect(400);
    if (platform !== 'fastify') expect(response.headers['content-type']).toBe(JSON_API);
  });

  it('does not change bodies, limits and errors of routes of the application', async () => {
    const { http } = await start();
    const large = { text: 'x'.repeat(50_000) };
    await http.post('/echo').send(large).expect(201, large);
    await http.post('/echo').type('form').send({ a: '1' }).expect(201, { a: '1' });
    const { body } = await http.post('/echo').set('Content-Type', 'application/json').send('{').expect(400);
    expect(body).toMatchObject({ statusCode: 400 });
    await http
      .post('/echo')
      .set('Content-Type', 'application/x-nestjs-resource-api-1')
      .send('{}')
      .expect((response) => {
        expect(response.status).toBe(platform === 'fastify' ? 415 : 201);
        expect(response.body).not.toHaveProperty('errors');
      });
  });

  it('accepts a DELETE with Content-Type and without a body', async () => {
    const { http } = await start();
    const response = await http.delete('/api/rest/nothing/1').set('Content-Type', JSON_API);
    expect(response.body.errors[0]).toMatchObject({ code: 'unsupported-model', status: 404 });
  });

  it('answers an unexpected error only with an id, which is in the log', async () => {
    getClient.mockImplementationOnce(() => {
      throw new Error('password=hunter2');
    });
    const { http } = await start();
    const { body } = await http.get('/api/rest/post').expect(500);
    expect(body).toEqual({
      errors: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          code: 'unknown-error',
          status: 500,
          title: 'Unexpected error',
          detail: 'An unexpected error occurred.',
        },
      ],
    });
  });
});
