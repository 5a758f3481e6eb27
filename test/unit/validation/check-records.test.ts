import { ApiError } from '../../../lib/errors/api-error.js';
import { DB_NULL, JSON_NULL } from '../../../lib/model/values/json-value.js';
import type { Resource } from '../../../lib/model/surface/surface.js';
import { checkRecords } from '../../../lib/validation/check-records.js';
import { type RecordCheck, type RecordValues, UNKNOWN_SHAPE } from '../../../lib/validation/record-check.js';
import { resourceOf } from '../model/model-of.js';
import { ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

const SCHEMA = schemaOf({
  Post: modelOf({
    id: ID,
    title: scalar('String'),
    extra: scalar('Json', { optional: true }),
    layout: scalar('Json'),
    parts: scalar('Json', { list: true }),
    secret: scalar('String', { optional: true, api: 'hidden' }),
  }),
});
const POST: Resource = resourceOf(SCHEMA, 'Post');

function check(run: RecordCheck['check'], ...values: readonly RecordValues[]): ReturnType<typeof checkRecords> {
  const records = values.map((one) => ({ resource: POST, action: 'create' as const, values: one }));
  return checkRecords(records, new Map([[POST.model, { create: { check: run, shape: () => UNKNOWN_SHAPE } }]]), ({ path, message }) => ({
    code: 'validation-error',
    detail: `${path.join('.')}: ${message}`,
  }));
}

async function errorOf(run: Promise<unknown>): Promise<ApiError> {
  try {
    await run;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

describe('checkRecords', () => {
  it("truncates a validator's message about a long name inside of a Json value", async () => {
    const message = `Unrecognized key: "${'x'.repeat(100_000)}"`;
    const error = await errorOf(check(() => ({ faults: [{ path: ['extra'], message }] }), {}));
    expect(error.message).toBe(`extra: ${message.slice(0, 500)}…`);
  });

  it('passes the nulls of Json fields as null, and writes them as they were given', async () => {
    const values = { extra: DB_NULL, layout: JSON_NULL, parts: [JSON_NULL, 1] };
    const seen: RecordValues[] = [];
    const accepted = await check((shown) => {
      seen.push(shown);
      return { values: shown };
    }, values);
    expect(seen).toEqual([{ extra: null, layout: null, parts: [null, 1] }]);
    expect(accepted).toEqual([values]);
  });

  it('writes the null that a validator returns for a Json field as the data client expects it', async () => {
    const [accepted] = await check(() => ({ values: { extra: null, layout: null, parts: [null] } }), { layout: 1 });
    expect([accepted?.['extra'], accepted?.['layout'], accepted?.['parts']]).toEqual([DB_NULL, JSON_NULL, [JSON_NULL]]);
  });

  it('omits a member that a validator returns as undefined', async () => {
    expect(await check(() => ({ values: { title: undefined } }), { title: '' })).toEqual([{}]);
  });

  it.each(['secret', 'author', 'constructor'])(
    "throws a TypeError where a validator returns '%s', which is no writable field",
    async (name) => {
      await expect(check(() => ({ values: { [name]: 1 } }), {})).rejects.toThrow(TypeError);
    },
  );

  it('refuses a record where a validator refuses without a message', async () => {
    const { status, problems } = await errorOf(check(() => ({ faults: [] }), {}));
    expect([status, problems]).toEqual([422, [{ code: 'validation-error', detail: ': These values are not accepted.' }]]);
  });

  it('validates no more records after twenty problems', async () => {
    let looks = 0;
    const run = check(
      () => {
        looks++;
        return { faults: [{ path: ['title'], message: `No, ${looks}` }] };
      },
      ...Array.from({ length: 100 }, () => ({})),
    );
    expect((await errorOf(run)).problems).toHaveLength(20);
    expect(looks).toBe(20);
  });

  it('throws the error that a validator throws', async () => {
    const failure = new Error('database is gone');
    await expect(check(() => Promise.reject(failure), {})).rejects.toBe(failure);
  });
});
