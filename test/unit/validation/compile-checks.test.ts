import { IsString, Length, ValidateBy } from 'class-validator';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import type { BodyValidators } from '../../../lib/model/surface/body-validator.js';
import { compileChecks } from '../../../lib/validation/compile-checks.js';
import { loadClassLibraries } from '../../../lib/validation/class-check.js';
import type { Verdict } from '../../../lib/validation/record-check.js';
import { ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

const SCHEMA = schemaOf({ Post: modelOf({ id: ID, title: scalar('String'), cover: scalar('Bytes'), price: scalar('Decimal') }) });

function modelWith(validate: BodyValidators): ReturnType<typeof buildResourceModel>['model'] {
  return buildResourceModel(SCHEMA, { resources: { Post: { validate } } }).model;
}

async function verdict(validate: BodyValidators, values: object): Promise<Verdict | undefined> {
  const model = modelWith(validate);
  const [resource] = model.resources;
  return resource && (await compileChecks(model)).get(resource.model)?.create?.check({ ...values });
}

class TitleDto {
  @Length(2)
  title!: string;
}

class Undecorated {
  title!: string;
}

class ForUpdates {
  @IsString({ groups: ['update'] })
  title!: string;
}

const dropsAll = { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: {} }) } } as const;

describe('compileChecks', () => {
  it('loads no library where no class is given', async () => {
    const load = (): never => {
      throw new Error('loaded');
    };
    expect((await compileChecks(modelWith({ create: dropsAll }), load)).size).toBe(1);
    expect((await compileChecks(modelWith({}), load)).size).toBe(0);
  });

  it('throws at boot where a class needs libraries that are not installed', async () => {
    const load = (): Promise<never> => Promise.reject(new Error("Cannot find package 'class-validator'"));
    await expect(compileChecks(modelWith({ update: TitleDto }), load)).rejects.toThrow(
      /^resources\.Post\.validate\.update is a class, and class-validator or class-transformer cannot be loaded\. Install both/,
    );
  });

  it.each([
    ['without decorators', Undecorated],
    ['whose decorators are all for another action', ForUpdates],
  ])('refuses a class %s at boot', async (_, type) => {
    await expect(compileChecks(modelWith({ create: type }), loadClassLibraries)).rejects.toThrow(
      /no decorator of class-validator runs for 'create'/,
    );
  });

  it('keeps values of classes that class-transformer would convert', async () => {
    class CoverDto extends TitleDto {
      @IsCover()
      cover!: Uint8Array;
    }
    const values = { title: 'Hi', cover: new Uint8Array([1, 2]) };
    expect(await verdict({ create: CoverDto }, values)).toEqual({ values });
  });

  it('accepts fields that a class does not declare', async () => {
    expect(await verdict({ create: TitleDto }, { title: 'Hi', price: '1' })).toEqual({ values: { title: 'Hi', price: '1' } });
  });

  it('names each field that a schema drops', async () => {
    const message = 'This field is not accepted here.';
    expect(await verdict({ create: dropsAll }, { title: 'Hi', price: '1' })).toEqual({
      faults: [
        { path: ['title'], message },
        { path: ['price'], message },
      ],
    });
  });

  it('accepts undefined for a field, which a schema removes by it', async () => {
    const schema = { '~standard': { ...dropsAll['~standard'], validate: () => ({ value: { title: undefined } }) } } as const;
    expect(await verdict({ create: schema }, { title: '' })).toEqual({ values: { title: undefined } });
  });

  it('reads issue paths of both forms', async () => {
    const issues = [{ message: 'Bad', path: ['title', { key: 0 }, { key: 'x' }] }, { message: 'Whole' }];
    const schema = { '~standard': { ...dropsAll['~standard'], validate: () => Promise.resolve({ issues }) } } as const;
    expect(await verdict({ create: schema }, {})).toEqual({
      faults: [
        { path: ['title', 0, 'x'], message: 'Bad' },
        { path: [], message: 'Whole' },
      ],
    });
  });

  it('accepts a function with the properties of a Standard Schema', async () => {
    // A function is no type of a schema.
    const callable = Object.assign(() => undefined, dropsAll) as unknown as typeof dropsAll;
    expect(await verdict({ create: callable }, {})).toEqual({ values: {} });
  });
});

/** Bytes that arrived as bytes. */
function IsCover(): PropertyDecorator {
  return ValidateBy({ name: 'isCover', validator: { validate: (value) => value instanceof Uint8Array } });
}
