import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { sample } from '../../../support/sample.js';
import { Decimal } from 'decimal.js';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import { DEFAULT_LIMITS } from '../../../../lib/model/limits.js';
import type { PlanContext } from '../../../../lib/rest/plan/plan-context.js';
import { createRestContext } from '../../../../lib/rest/plan/rest-contexts.js';
import type { Row } from '../../../../lib/query/result.js';
import { renderDocument } from '../../../../lib/rest/render/render-document.js';
import { encodeScalar } from '../../../../lib/wire/encode-scalar.js';
import { belongsTo, enumeration, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../../model/schema-builder.js';
import { collectionQuery, relatedQuery, resourceQuery } from '../read-fixture.js';
import { renderChecked } from '../render-fixture.js';

const TYPES = ['String', 'Boolean', 'Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'Json', 'Bytes'] as const;
type TypeName = (typeof TYPES)[number];

/** A thing has every type, alone and in a list. */
const SCHEMA = schemaOf(
  {
    Thing: modelOf({
      id: scalar('String'),
      ...Object.fromEntries(TYPES.map((type) => [`a${type}`, scalar(type, { optional: true })])),
      ...Object.fromEntries(TYPES.map((type) => [`list${type}`, scalar(type, { list: true })])),
      constructor: scalar('DateTime', { optional: true }),
      level: enumeration('Level'),
      parts: hasMany('Part', 'thing'),
      owner: belongsTo('Owner', 'things', { fields: ['ownerId'], optional: true }),
      ownerId: scalar('Int', { optional: true }),
    }),
    Owner: modelOf({ id: ID, name: scalar('String'), since: scalar('DateTime'), things: hasMany('Thing', 'owner') }),
    Part: modelOf(
      {
        number: scalar('BigInt'),
        sku: scalar('String'),
        price: scalar('Decimal'),
        thing: belongsTo('Thing', 'parts', { fields: ['thingId'] }),
        thingId: scalar('String'),
      },
      { primaryKey: keyOf('number', 'sku') },
    ),
  },
  { Level: ['LOW', 'HIGH'] },
);

function contextOf(strict: boolean): PlanContext {
  const settings = {
    endpoint: 'https://api.example/"rest"',
    pageSize: 100,
    maxPageSize: 1000,
    strict,
    idDivider: '_',
    count: 'exact',
  } as const;
  return createRestContext(buildResourceModel(SCHEMA, { resources: {} }).model, settings, DEFAULT_LIMITS);
}

const CONTEXTS = [contextOf(false), contextOf(true)] as const;

const PIECES = [
  'a',
  'Zürich',
  '"',
  '\\',
  '\n',
  '\u0000',
  '\u001f',
  '\u007f',
  '\u2028',
  '\ud800',
  '\udfff',
  '😀',
  '</script>',
  '/',
  '%',
  ' ',
];

const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''));
/** Any text without a lone surrogate, because an id with one has no URL. */
const anyId = anyText.filter((text) => !/\p{Surrogate}/u.test(text));

const VALUES: Readonly<Record<TypeName, fc.Arbitrary<unknown>>> = {
  String: anyText,
  Boolean: fc.boolean(),
  Int: fc.oneof(fc.integer(), fc.constant(-0)),
  BigInt: fc.bigInt(),
  Float: fc.oneof(fc.double(), fc.constantFrom(-0, NaN, Infinity, -Infinity, 1e21, 5e-324)),
  Decimal: fc
    .oneof(fc.double({ noNaN: true }), fc.constantFrom('1e-30', '-0', '12345678901234567890.123', 'NaN'))
    .map((value) => new Decimal(value)),
  DateTime: fc.date({ noInvalidDate: true }),
  Json: fc.jsonValue(),
  Bytes: fc.uint8Array({ maxLength: 40 }),
};

/** Mostly a value of the type; else nothing, or what an extension of the data client may have made of it. */
function anyOf(type: TypeName): fc.Arbitrary<unknown> {
  const others = fc.oneof(...TYPES.map((other) => VALUES[other]));
  return fc.oneof(
    { weight: 8, arbitrary: VALUES[type] },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined) },
    { weight: 1, arbitrary: type === 'Json' ? VALUES.Json : others },
  );
}

const anyOwner = fc.record({ id: fc.integer({ min: -1, max: 4 }), name: anyText, since: VALUES.DateTime });
const anyPart = fc.record({
  number: fc.bigInt({ min: 0n, max: 3n }),
  sku: fc.oneof(anyId, fc.constant('a_b')),
  price: VALUES.Decimal,
  thingId: anyId,
});

const anyThing: fc.Arbitrary<Row> = fc.record({
  id: anyId,
  ...Object.fromEntries(TYPES.map((type) => [`a${type}`, anyOf(type)])),
  ...Object.fromEntries(TYPES.map((type) => [`list${type}`, fc.oneof(fc.array(anyOf(type), { maxLength: 3 }), anyOf(type))])),
  constructor: anyOf('DateTime'),
  level: fc.constantFrom('LOW', 'HIGH'),
  ownerId: fc.constantFrom(null, undefined, 1, 2),
  owner: fc.oneof(fc.constantFrom(null, undefined), anyOwner),
  parts: fc.oneof({ weight: 5, arbitrary: fc.array(anyPart, { maxLength: 4 }) }, { weight: 1, arbitrary: fc.constant(undefined) }),
});

const SEARCHES = [
  '',
  'include=owner',
  'include=parts,owner',
  'include=parts&fields[thing]=aFloat,owner',
  'include=parts,owner&fields[part]=&fields[owner]=name',
  'fields[thing]=',
  'fields[thing]=constructor,listDateTime,parts',
  'include=',
];

describe('writeDocument: the bytes of a document are those of its JSON text', () => {
  const things = fc.array(anyThing, { maxLength: 4 });
  const total = fc.option(fc.nat(), { nil: undefined });

  it.each(SEARCHES)('a page of any rows: %s', (search) => {
    fc.assert(
      fc.property(fc.constantFrom(...CONTEXTS), things, total, (context, rows, count) => {
        renderChecked(collectionQuery(context, 'Thing', search), { rows, total: count }, context);
      }),
      { numRuns: sample.choose(30, 300) },
    );
  });

  it.each(SEARCHES)('one resource: %s', (search) => {
    fc.assert(
      fc.property(fc.constantFrom(...CONTEXTS), anyThing, (context, row) => {
        renderChecked(resourceQuery(context, ['thing', 'x'], search), { rows: [row] }, context);
      }),
    );
  });

  it.each([
    ['thing', 'owner', ''],
    ['owner', 'things', 'include=parts'],
    ['thing', 'parts', 'fields[part]=price'],
  ])('what a relationship leads to: /%s/1/%s?%s', (type, relationship, search) => {
    const rows = { owner: fc.array(anyOwner, { maxLength: 1 }), things, parts: fc.array(anyPart, { maxLength: 4 }) };
    fc.assert(
      fc.property(fc.constantFrom(...CONTEXTS), rows[relationship as keyof typeof rows] as fc.Arbitrary<Row[]>, (context, found) => {
        renderChecked(relatedQuery(context, [type, '1', relationship], search), { rows: found, total: found.length }, context);
        const linkage = relatedQuery(context, [type, '1', 'relationships', relationship], `include=${relationship}`);
        renderChecked(linkage, { rows: found }, context);
      }),
    );
  });

  it('is the same of a value and of its text in wire form, as SQL reads give it', () => {
    const row = fc.record({
      id: anyId,
      ...Object.fromEntries(TYPES.map((type) => [`a${type}`, type === 'DateTime' ? fc.date({ noInvalidDate: true }) : VALUES[type]])),
      level: fc.constant('LOW'),
      listDateTime: fc.array(fc.date({ noInvalidDate: true }), { maxLength: 3 }),
      listDecimal: fc.array(VALUES.Decimal, { maxLength: 3 }),
      listFloat: fc.array(VALUES.Float, { maxLength: 3 }),
      ownerId: fc.constant(null),
    });
    const inWireForm = (value: unknown): unknown => (Array.isArray(value) ? value.map(inWireForm) : encodeScalar(value, 'base64'));
    fc.assert(
      fc.property(row, (values) => {
        const [context] = CONTEXTS;
        const query = collectionQuery(context, 'Thing', '');
        const wire = Object.fromEntries(
          Object.entries(values).map(([name, value]) => [name, name === 'aJson' ? value : inWireForm(value)]),
        );
        const document = renderChecked(query, { rows: [values] }, context);
        expect(JSON.stringify(renderChecked(query, { rows: [wire] }, context))).toBe(JSON.stringify(document));
      }),
    );
  });

  it.each([
    'include=owner.things.parts',
    'include=owner.things.parts,parts&fields[thing]=owner,parts',
    'include=parts,owner.things&fields[thing]=level,parts',
  ])('a resource under two projections: %s', (search) => {
    const few = fc.constantFrom('a', 'b', 'c');
    // Rows of one resource have the same attributes.
    const thing = { id: few, level: fc.constant('LOW'), ownerId: fc.constant(1), parts: fc.array(anyPart, { maxLength: 2 }) };
    const owner = fc.record({
      id: fc.integer({ min: 1, max: 2 }),
      name: anyText,
      since: VALUES.DateTime,
      things: fc.array(fc.record(thing), { maxLength: 3 }),
    });
    const rows = fc.uniqueArray(fc.record({ ...thing, owner: fc.option(owner) }), { selector: ({ id }) => id, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...CONTEXTS), rows, (context, found) => {
        const query = collectionQuery(context, 'Thing', search);
        expect(query.projection).toMatchObject({ isMixed: true });
        const page = { rows: found, total: found.length };
        renderChecked(query, page, context);
        const size = renderDocument(query, page, context)(Infinity)?.byteLength ?? 0;
        expect(renderDocument(query, page, context)(size)?.byteLength).toBe(size);
        expect(renderDocument(query, page, context)(size - 1)).toBeUndefined();
      }),
    );
  });

  it('accepts a document of exactly the maximum size whose relationships are written under several projections', () => {
    const [context] = CONTEXTS;
    const things = Array.from({ length: 50 }, (_, index) => ({ id: `t${index}`, ownerId: 1, parts: [] }));
    const rows = things.map((thing) => ({ ...thing, owner: { id: 1, things } }));
    const query = collectionQuery(
      context,
      'Thing',
      'include=owner.things.parts&fields[thing]=parts,owner&fields[owner]=things&page[limit]=50',
    );
    const write = renderDocument(query, { rows, total: 50 }, context);
    const size = write(Infinity)?.byteLength ?? 0;
    expect(write(size)?.byteLength).toBe(size);
    expect(write(size - 1)).toBeUndefined();
  });

  it('stops at the maximum size of a response', () => {
    const [context] = CONTEXTS;
    const rows = Array.from({ length: 50 }, (_, id) => ({ id, name: 'ü'.repeat(20), since: new Date(0) }));
    const document = renderDocument(collectionQuery(context, 'Owner', ''), { rows }, context);
    const size = document(Infinity)?.byteLength ?? 0;
    expect(size).toBeGreaterThan(50 * 40);
    expect(document(size)?.byteLength).toBe(size);
    expect(document(size - 1)).toBeUndefined();
    expect(document(10)).toBeUndefined();
  });

  it('keeps a text of several megabytes whole', () => {
    const [context] = CONTEXTS;
    const rows = Array.from({ length: 3000 }, (_, id) => ({ id, name: `${'naïve 😀 '.repeat(60)}${id}`, since: new Date(id) }));
    renderChecked(collectionQuery(context, 'Owner', ''), { rows }, context);
  });
});
