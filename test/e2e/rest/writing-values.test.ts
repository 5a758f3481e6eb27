import { sample } from '../../support/sample.js';
import { onDatabases, listsIn } from '../../support/databases/this-database.js';
import { SPECIMEN } from '../../support/seed.js';
import { describeWrites, refusalOf } from './write-suite.js';

describeWrites('values in writes', {}, (suite) => {
  const patch = (attributes: object, values: object = {}) =>
    suite.app.rest.patch(`/specimen/${SPECIMEN.bare}`, {
      data: { type: 'specimen', attributes },
      ...(Object.keys(values).length > 0 && { meta: { serialization: { values } } }),
    });

  it.each<[string, object]>([
    ['the largest BigInt', { bigInt: '9223372036854775807' }],
    ...onDatabases('postgresql', 'mariadb').rows<[string, object]>([
      ['a Decimal with every digit', { decimal: '12345678901234567890.0123456789' }],
    ]),
    ['a date and time', { dateTime: '2026-01-02T03:04:05.678Z' }],
    ['bytes', { bytes: 'AP/+' }],
    ['null', { optionalString: null, optionalBytes: null, optionalJson: null, optionalDecimal: null }],
    ...onDatabases('postgresql').rows<[string, object]>([
      [
        'lists',
        {
          bigIntList: ['1', '9007199254740993'],
          levelList: ['LOW', 'HIGH'],
          bytesList: ['AQ=='],
          dateTimeList: ['2026-01-02T03:04:05.678Z'],
        },
      ],
    ]),
    [
      'JSON of any shape',
      { json: [null, { 'constructor': 1, 'meta': {}, 'a.b': '2026-01-02T03:04:05.678Z' }], ...listsIn({ jsonList: [1, null, { a: [] }] }) },
    ],
    ['JSON null in a required field', { json: null }],
    ['a number of 17 digits as JSON', { json: 0.30000000000000004 }],
    ['a text as JSON that Prisma takes for a null', { json: 'DbNull' }],
    ['the key __proto__', { json: JSON.parse('{"a":{"__proto__":{"x":0.30000000000000004}}}') as object }],
    ['text that is hard to carry', { string: '"\\/\b\f\n\r\t <>& ünï 😀 %_\u2028' }],
  ])('are stored and returned: %s', async (_, attributes) => {
    const response = await patch(attributes);
    expect(response.one.attributes).toMatchObject(attributes);
    expect((await suite.app.rest.get(`/specimen/${SPECIMEN.bare}`)).one.attributes).toMatchObject(attributes);
  });

  onDatabases('postgresql').it('store null of an optional Json field as NULL', async () => {
    await patch({ optionalJson: { a: 1 } });
    await patch({ optionalJson: null });
    const rows = await suite.database.prisma.$queryRawUnsafe(
      `SELECT "optionalJson" IS NULL AS "isNull" FROM "Specimen" WHERE id = ${SPECIMEN.bare}`,
    );
    expect(rows).toEqual([{ isNull: true }]);
  });

  it('are decoded by meta.serialization, which the response has, too (specification, 4.1.2)', async () => {
    const attributes = { dateTime: '2026-01-02T03:04:05.678Z', bigInt: '7', decimal: '1.5', bytes: 'AQID' };
    const values = {
      'data.attributes.dateTime': ['Date'],
      'data.attributes.bigInt': ['bigint'],
      'data.attributes.decimal': [['custom', 'Decimal']],
      'data.attributes.bytes': [['custom', 'Bytes']],
    };
    const response = await patch(attributes, values);
    expect(response.one.attributes).toMatchObject(attributes);
    expect(response.document.meta).toMatchObject({ serialization: { values } });
    expect(await suite.database.prisma.specimen.findUnique({ where: { id: SPECIMEN.bare } })).toMatchObject({
      dateTime: new Date('2026-01-02T03:04:05.678Z'),
      bigInt: 7n,
      bytes: Uint8Array.of(1, 2, 3),
    });
  });

  it('that are decoded as undefined are ignored', async () => {
    expect((await patch({ string: null, int: 3 }, { 'data.attributes.string': ['undefined'] })).one.attributes).toMatchObject({
      string: 'text',
      int: 3,
    });
  });

  it.each([
    ['a path to the prototype', { '__proto__.polluted': ['Date'] }],
    ['a path through a constructor', { 'constructor.prototype.polluted': ['Date'] }],
    ['a path to nothing', { 'data.attributes.nothing': ['Date'] }],
    ['a class', { 'data.attributes.string': [['class', 'Date']] }],
    ['a regular expression', { 'data.attributes.string': ['regexp'] }],
    ['an Error', { 'data.attributes.string': ['Error'] }],
    ['a custom type that is none', { 'data.attributes.string': [['custom', 'Evil']] }],
  ])('are rejected before any SQL if the metadata has %s', async (_, values) => {
    expect(refusalOf(await patch({ string: '/a/' }, values))).toEqual([400, 'invalid-payload /meta/serialization']);
    expect(suite.database.statements.all).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ['a BigInt out of range', { bigInt: '9223372036854775808' }, 'bigInt'],
    ['a number that has lost digits', { bigInt: 9_007_199_254_740_993 }, 'bigInt'],
    ['an Int out of range', { int: 2_147_483_648 }, 'int'],
    ['a day that does not exist', { dateTime: '2026-02-30T00:00:00Z' }, 'dateTime'],
    ['bytes that are no base64', { bytes: 'ab c' }, 'bytes'],
    ['a Decimal that is none', { decimal: '1,5' }, 'decimal'],
    ...onDatabases('postgresql').rows<[string, object, string]>([['a UUID that is none', { uuid: 'x' }, 'uuid']]),
    ['a value that the enum lacks', { level: 'low' }, 'level'],
    ['a NUL character', { string: 'a\0b' }, 'string'],
    ['a lone surrogate', { string: 'a\ud800b' }, 'string'],
    ['an object with toString', { string: { toString: '' } }, 'string'],
    ...onDatabases('postgresql').rows<[string, object, string]>([['an element of a list', { intList: [1, 'x'] }, 'intList/1']]),
  ])('are rejected before any SQL: %s', async (_, attributes, place) => {
    expect(refusalOf(await patch(attributes))).toEqual([400, `invalid-value /data/attributes/${place}`]);
    expect(suite.database.statements.all).toEqual([]);
  });

  it.each([
    ['malformed JSON', '{"data":'],
    ['an array', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
    ['deep nesting', `{"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ])('reject %s as a body', async (_, body) => {
    const response = await suite.app.rest.request('PATCH', `/specimen/${SPECIMEN.bare}`, { body });
    expect([response.status, response.errors[0]?.code]).toEqual([400, 'invalid-payload']);
    expect(suite.database.statements.all).toEqual([]);
    expect((await suite.app.rest.get('/tag/1')).status).toBe(200);
  });

  it('are rejected if their JSON has a number beyond doubles, which would be stored as null', async () => {
    const { app } = suite;
    const rest = await app.rest.request('PATCH', `/specimen/${SPECIMEN.bare}`, {
      body: `{"data":{"type":"specimen","id":${SPECIMEN.bare},"attributes":{"json":{"a":1e400}}}}`,
    });
    const body = `{"where":{"id":${SPECIMEN.bare}},"data":{"json":[-1e400]}}`;
    const rpc = await app.rpc.send({ method: 'PATCH', path: '/specimen/update', headers: { 'Content-Type': 'application/json' }, body });
    expect(refusalOf(rest)).toEqual([400, 'invalid-value /data/attributes/json']);
    expect([rpc.status, rpc.error.message]).toEqual([400, expect.stringContaining('data.json must be')]);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('are rejected if their JSON is nested too deep', async () => {
    const body = `{"data":{"type":"specimen","attributes":{"json":${'['.repeat(5_000)}${']'.repeat(5_000)}}}}`;
    const response = await suite.app.rest.request('PATCH', `/specimen/${SPECIMEN.bare}`, { body });
    expect(refusalOf(response)).toEqual([400, 'invalid-value /data/attributes/json']);
  });
});

describeWrites('as many values as a body can hold', {}, (suite) => {
  onDatabases('postgresql').it('are rejected before any statement, in both styles', async () => {
    const { app, database } = suite;
    const keywords = Array.from({ length: 345_001 }, () => '');
    const rest = await app.rest.patch('/post/1', { data: { type: 'post', id: 1, attributes: { keywords } } });
    expect(refusalOf(rest)).toEqual([400, 'limit-exceeded /data/attributes/keywords']);
    expect(rest.text).toContain('limits.maxValues');
    // Serialized without superjson, which would take seconds for so many values.
    const body = JSON.stringify({ where: { id: 1 }, data: { metadata: keywords } });
    const rpc = await app.rpc.send({ method: 'PATCH', path: '/post/update', headers: { 'Content-Type': 'application/json' }, body });
    expect([rpc.status, rpc.error.message]).toEqual([400, expect.stringMatching(/^data\.metadata .* limits\.maxValues allows: \d+\.$/)]);
    expect(database.statements.all).toEqual([]);
  });
});

describeWrites('large values in writes', { limits: { maxBodySize: '5mb' } }, (suite) => {
  sample.omitted.it('store bytes of some megabytes', async () => {
    const bytes = Buffer.alloc(2_000_000, 7).toString('base64');
    const response = await suite.app.rest.patch(`/specimen/${SPECIMEN.bare}`, { data: { type: 'specimen', attributes: { bytes } } });
    expect(response.status).toBe(200);
    expect(response.one.attributes['bytes'] === bytes).toBe(true);
  });
});
