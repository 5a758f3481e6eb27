import { readFileSync } from 'node:fs';
import { compileOptions } from '../../../lib/module/compile-options.js';
import { createOpenApiDocument, describeSurface, type ResourceApiOptions } from '../../../lib/index.js';
import { registrationOf } from '../../../lib/options/registration.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const caller = (): string => '';
const find = (): Promise<undefined> => Promise.resolve(undefined);
const { IdempotencyKey: record, ...others } = resourceSchema.models;

function compile(idempotency: unknown, { models = resourceSchema.models, provider = 'postgresql', resources = {} }: Partial<Given> = {}) {
  return compileGiven({ schema: { ...resourceSchema, models, provider }, idempotency, resources });
}

/** Options come from plain JavaScript, too. */
function compileGiven(given: { readonly schema: object; readonly idempotency?: unknown; readonly resources?: object }) {
  const options = { getClient: () => ({}), rpc: true, ...given } as unknown as ResourceApiOptions;
  return compileOptions(options, registrationOf(options, {}));
}

/** An object but for one of its members. */
function without(object: object, name: string): Readonly<Record<string, never>> {
  return Object.fromEntries(Object.entries(object).filter(([key]: [string, unknown]) => key !== name)) as Readonly<Record<string, never>>;
}

interface Given {
  readonly models: object;
  readonly provider: string;
  readonly resources: object;
}

/** The model as an application declares it, without a comment that hides it. */
const shown = { ...others, IdempotencyKey: without(record, 'api') };

describe('the option idempotency', () => {
  it('has defaults', () => {
    const { idempotency } = compile({ caller });
    expect([idempotency?.keyed.ttl, idempotency?.waitMs, idempotency?.records.constructor.name]).toEqual([
      86_400_000,
      2000,
      'ModelRecords',
    ]);
    expect(idempotency?.keyed.isRequired('Post', 'create')).toBe(false);
  });

  it.each([
    ['30m', 1_800_000],
    ['7d', 604_800_000],
    ['90 s', 90_000],
    [5, 5],
  ])('IK-16: keeps responses for %s', (ttl, milliseconds) => {
    expect(compile({ caller, ttl }).idempotency?.keyed.ttl).toBe(milliseconds);
  });

  it.each<readonly [string, unknown, RegExp]>([
    ['no caller', {}, /'idempotency\.caller' is missing/],
    ['nothing', undefined, /idempotency is 'undefined'/],
    ['true', true, /idempotency is 'true'/],
    ['a misspelt name', { caller, tll: '1h' }, /names 'tll'.*'ttl'/s],
    ['a caller that is none', { caller: 'ada' }, /idempotency\.caller is 'ada'\. Set it to a function/],
    ['a time with an unknown unit', { caller, ttl: '1w' }, /idempotency\.ttl is '1w'/],
    ['no time', { caller, ttl: 0 }, /idempotency\.ttl is '0'/],
    ['a half', { caller, waitMs: 0.5 }, /idempotency\.waitMs is '0\.5'/],
    ['for ever', { caller, waitMs: Infinity }, /idempotency\.waitMs is 'Infinity'/],
    ['a model that is none', { caller, model: 4 }, /idempotency\.model is '4'/],
    ['a store that is none', { caller, store: undefined }, /idempotency\.store has no find\(\), claim\(\)/],
    ['a store without all of its methods', { caller, store: { find, claim: find } }, /idempotency\.store has no complete\(\), sweep\(\)/],
    [
      'a store and a model',
      { caller, store: { find, claim: find, complete: find, sweep: find }, model: 'X' },
      /both a 'model' and a 'store'/,
    ],
    ['an unknown model', { caller, required: { Pots: ['create'] } }, /names 'Pots'.*'Post'/s],
    ['an unknown action', { caller, required: { Post: ['creat'] } }, /names 'creat'.*'create'/s],
    ['a read', { caller, required: { '*': ['read'] } }, /takes no key/],
    ['no list', { caller, required: { Post: 'create' } }, /idempotency\.required\.Post is 'create'/],
    ['the records themselves', { caller, required: { IdempotencyKey: ['create'] } }, /names 'IdempotencyKey'/],
  ])('is refused with %s', (_, option, message) => {
    expect(() => compile(option)).toThrow(message);
  });

  it('IK-13: prints the missing model as the docs have it', () => {
    const [, block = ''] = /```prisma\n([^`]*)```/.exec(readFileSync('docs/idempotency.md', 'utf8')) ?? [];
    expect(block).toContain('@@id([scope, key])');
    const fault = (): unknown => compile({ caller }, { models: others });
    expect(fault).toThrow(block.trim());
    expect(() => compile({ caller, model: 'Kept' })).toThrow(/'Kept', and there is none/);
    expect(() => compile({ caller }, { models: others, provider: 'mysql' })).toThrow(/key +String @db\.VarChar\(255\)/);
  });

  it('IK-13: names the field or the key by which a model differs from the required one', () => {
    expect(() => compile({ caller, model: 'Tag' })).toThrow(/'scope' has to be String/);
    const fields = without(record.fields, 'body');
    expect(() => compile({ caller }, { models: { ...others, IdempotencyKey: { ...record, fields } } })).toThrow(/'body' has to be Bytes\?/);
    const own = { ...record, fields: { ...record.fields, tenant: { kind: 'scalar', type: 'String' } } };
    expect(() => compile({ caller }, { models: { ...others, IdempotencyKey: own } })).toThrow(/nothing fills 'tenant'/);
    const key = { ...record, primaryKey: { name: 'key', fields: ['key'] } };
    expect(() => compile({ caller }, { models: { ...others, IdempotencyKey: key } })).toThrow(/@@id\(\[scope, key\]\)/);
  });

  it('IK-15: is refused on MongoDB, whose transactions do not wait for each other', () => {
    expect(() => compile({ caller }, { provider: 'mongodb' })).toThrow(/MongoDB/);
  });

  it('hides the records without an option, and refuses to expose them', () => {
    const names = (of: ReturnType<typeof compile>): readonly string[] => of.model.resources.map(({ model }) => model);
    expect(names(compileGiven({ schema: { ...resourceSchema, models: shown } }))).toContain('IdempotencyKey');
    expect(names(compile({ caller }, { models: shown }))).not.toContain('IdempotencyKey');
    expect(names(compile({ caller }, { models: shown, resources: { IdempotencyKey: 'hidden' } }))).not.toContain('IdempotencyKey');
    expect(() => compile({ caller }, { models: shown, resources: { IdempotencyKey: {} } })).toThrow(/opens the records/);
  });

  it('IK-18: adds the required actions to describeSurface, and the header to the OpenAPI document', () => {
    const { model } = compile({ caller, required: { 'Tag': ['create'], '*': ['delete'] }, ttl: '36h' });
    const keyed = new Map(describeSurface(model).map((entry) => [entry.model, entry.keyedActions]));
    expect([keyed.get('Tag'), keyed.get('Post')]).toEqual([['create'], ['delete']]);
    const { paths, components } = createOpenApiDocument(model);
    const headerOf = (path: string, method: 'get' | 'post' | 'patch' | 'delete'): string | undefined => {
      const parameters = paths[path]?.[method]?.parameters ?? [];
      return parameters.map((one) => ('$ref' in one ? one.$ref : one.name)).find((name) => name.includes('Idempotency'));
    };
    const [REQUIRED, OFFERED] = ['#/components/parameters/RequiredIdempotencyKey', '#/components/parameters/IdempotencyKey'];
    expect([headerOf('/rest/tag', 'post'), headerOf('/rest/tag/{id}', 'delete'), headerOf('/rest/post/{id}', 'delete')]).toEqual([
      REQUIRED,
      OFFERED,
      REQUIRED,
    ]);
    expect([headerOf('/rest/tag', 'get'), headerOf('/rpc/tag/findMany', 'get')]).toEqual([undefined, undefined]);
    expect([headerOf('/rpc/tag/upsert', 'post'), headerOf('/rpc/$transaction/sequential', 'post')]).toEqual([REQUIRED, OFFERED]);
    expect(components.parameters['RequiredIdempotencyKey']).toMatchObject({
      required: true,
      description: expect.stringContaining('kept for 36 hours'),
    });
    expect(Object.keys(paths['/rest/tag']?.post?.responses ?? {})).toEqual(expect.arrayContaining(['400', '409', '422']));
    expect(JSON.stringify(createOpenApiDocument(compileGiven({ schema: resourceSchema }).model))).not.toContain('Idempotency-Key"');
  });
});
