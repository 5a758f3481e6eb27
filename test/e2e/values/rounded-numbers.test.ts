import { expect, it } from '@jest/globals';
import { sample } from '../../support/sample.js';
import { describeKeys, ENGINES } from '../../support/keys-apps.js';
import { type Method, sendRequest } from '../../support/send-request.js';
import type { TestApp } from '../../support/test-app.js';
import { attributePlaces, idPlaces, MODELS, type Place, RPC_PLACES } from './rounded-places.js';

describeKeys('a number that JSON may have rounded', { rest: { operations: true } }, (suite) => {
  const { appOf } = suite;

  async function expectRefused(app: TestApp, place: Place, numbers: readonly string[]): Promise<void> {
    for (const number of numbers) {
      const { status, errors } = await callRest(app, place.method, place.path, place.body(number));
      const { status: expected = 400, code = 'invalid-id' } = place;
      expect({ place: place.name, number, status, code: errors[0]?.code }).toEqual({ place: place.name, number, status: expected, code });
      expect(errors[0]?.detail).toMatch(/as a string/);
      expect(errors[0]?.source?.pointer).toMatch(code === 'invalid-value' ? /^\/data\/attributes\// : /\/id$/);
    }
  }

  describe.each(ENGINES)('by %s', (engine) => {
    it.each(sample.oneIn(3, MODELS))('is rejected as the id of a $type in REST', async ({ type, key, numbers }) => {
      const before = await suite.dump();
      for (const place of idPlaces(type, key)) await expectRefused(appOf(engine), place, numbers);
      expect(await suite.dump()).toBe(before);
    });

    it.each(sample.oneIn(3, attributePlaces()))('is rejected as a value of $name in REST', async ({ numbers, ...place }) => {
      const before = await suite.dump();
      await expectRefused(appOf(engine), place, numbers);
      expect(await suite.dump()).toBe(before);
    });

    it('is rejected in the arguments of RPC', async () => {
      const before = await suite.dump();
      for (const { place, numbers } of sample.oneIn(3, RPC_PLACES)) {
        for (const number of numbers) {
          const { status, text } = await call(appOf(engine), place.method, place.path, place.args(number));
          expect({ place: `${place.path} ${place.args('n')}`, number, status }).toEqual({
            place: `${place.path} ${place.args('n')}`,
            number,
            status: 400,
          });
          expect(text).toMatch(/\(as a string beyond/);
        }
      }
      expect(await suite.dump()).toBe(before);
    });

    it('is rejected in a batch, and with serialization metadata', async () => {
      const before = await suite.dump();
      const app = appOf(engine);
      const batch = '[{"model":"big","op":"delete","args":{"where":{"id":9007199254740993}}}]';
      expect((await call(app, 'POST', '$transaction/sequential', batch)).status).toBe(400);
      for (const type of ['"bigint"', '"custom","Decimal"']) {
        const meta = `"meta":{"serialization":{"values":{"where.id":[${type.includes(',') ? `[${type}]` : type}]}}}`;
        const asBody = await call(app, 'PATCH', 'big/update', `{"where":{"id":9007199254740993},"data":{"title":"x"},${meta}}`);
        const document = `{"data":{"type":"big","id":9007199254740993,"attributes":{"name":"new"}},${meta.replace('where.id', 'data.id')}}`;
        expect([asBody.status, (await app.rest.post('/big', document)).status]).toEqual([400, 400]);
      }
      expect(await suite.dump()).toBe(before);
    });

    it('is accepted if it is exact: safe integers, and decimals of 15 digits', async () => {
      const app = appOf(engine);
      const create = (type: string, id: string) =>
        callRest(app, 'POST', `/${type}`, `{"data":{"type":"${type}","id":${id},"attributes":{"name":"new"}}}`);
      expect([(await create('big', '9007199254740991')).one.id, (await create('level', '2.25')).one.id]).toEqual([
        '9007199254740991',
        2.25,
      ]);
      expect((await create('price', '4')).one.id).toBe('4');
      const linkage = '{"data":{"type":"level","id":1.5}}';
      expect((await callRest(app, 'PATCH', '/level/2.25/relationships/parent', linkage)).one).toEqual({ type: 'level', id: 1.5 });
      for (const number of ['12.5', '0.1', '123456789.012345', '-1e-7', '1e15', '0', '-0', '1.0', '100000000000000']) {
        const { status, one } = await app.rest.post('/amount', `{"data":{"type":"amount","attributes":{"decimal":${number}}}}`);
        expect([number, status, Number(one.attributes['decimal'])]).toEqual([number, 201, Number(number) + 0]);
      }
      const bigint = { data: { type: 'big', id: '9007199254740995', attributes: { name: 'text' } } };
      expect((await app.rest.post('/big', bigint)).one.id).toBe('9007199254740995');
      expect((await app.rest.patch('/big/9007199254740992', { data: { ...bigint.data, id: '9007199254740993' } })).errors[0]?.code).toBe(
        'id-conflict',
      );
    });
  });
});

interface Answer {
  readonly status: number;
  readonly one: { readonly id: unknown; readonly attributes: Readonly<Record<string, unknown>> };
  readonly errors: readonly { readonly code: string; readonly detail: string; readonly source?: { readonly pointer?: string } }[];
}

/** Sends a request without the client of the tests, which rejects fractional ids and operations. */
async function callRest(app: TestApp, method: Method, path: string, body: string): Promise<Answer> {
  const headers = { 'Content-Type': 'application/vnd.api+json' };
  const { status, text } = await sendRequest(app.agent, { method, path: `/api/rest${path}`, headers, body });
  const { data, errors = [] } = (text === '' ? {} : JSON.parse(text)) as { data?: Answer['one']; errors?: Answer['errors'] };
  return { status, one: data ?? { id: undefined, attributes: {} }, errors };
}

function call(app: TestApp, method: Method, path: string, args: string): ReturnType<typeof sendRequest> {
  const hasBody = method === 'POST' || method === 'PATCH';
  const query = hasBody ? '' : `?q=${encodeURIComponent(args)}`;
  const body = hasBody ? { body: args, headers: { 'Content-Type': 'application/json' } } : {};
  return sendRequest(app.agent, { method, path: `/api/rpc/${path}${query}`, ...body });
}
