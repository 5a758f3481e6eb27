import { ArrayMaxSize, IsEmail, IsIn, IsOptional, Length, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import { z } from 'zod';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import type { BodyValidators, StandardSchema } from '../../../lib/model/surface/body-validator.js';
import { compileChecks } from '../../../lib/validation/compile-checks.js';
import { type RecordShape, UNKNOWN_SHAPE } from '../../../lib/validation/record-check.js';
import { ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

const SCHEMA = schemaOf({ Post: modelOf({ id: ID, title: scalar('String') }) });

async function shapeOf(validate: BodyValidators): Promise<RecordShape | undefined> {
  const { model } = buildResourceModel(SCHEMA, { resources: { Post: { validate } } });
  const [resource] = model.resources;
  return resource && (await compileChecks(model)).get(resource.model)?.create?.shape();
}

class PostDto {
  @MinLength(3)
  @MaxLength(80)
  title!: string;

  @IsOptional()
  @Length(2, 5)
  @IsIn(['en', 'de'])
  language?: string;

  @Min(1)
  @Max(5)
  rating!: number;

  @IsEmail()
  @Matches(/@example\.com$/)
  contact!: string;

  @MaxLength(10, { each: true })
  @ArrayMaxSize(3)
  labels!: string[];

  @MaxLength(1, { groups: ['update'] })
  other?: string;
}

describe('the documented body of a validated action', () => {
  it('comes from the decorators of a DTO class, those of other actions left out', async () => {
    const shape = await shapeOf({ create: PostDto });
    expect(Object.fromEntries(shape?.fields ?? [])).toEqual({
      title: { minLength: 3, maxLength: 80 },
      language: { minLength: 2, maxLength: 5, enum: ['en', 'de'] },
      rating: { minimum: 1, maximum: 5 },
      contact: { format: 'email', pattern: '@example\\.com$' },
      labels: { maxItems: 3 },
    });
    expect([...(shape?.required ?? [])].sort()).toEqual(['contact', 'labels', 'rating', 'title']);
  });

  it('comes from the JSON Schema of a Standard Schema that has one', async () => {
    const shape = await shapeOf({ create: z.object({ title: z.string().min(3).max(80), note: z.string().optional() }) });
    expect(shape?.fields.get('title')).toEqual({ minLength: 3, maxLength: 80 });
    expect([...(shape?.required ?? [])]).toEqual(['title']);
  });

  it.each<[string, object]>([
    ['has no JSON Schema', {}],
    [
      'cannot be written as JSON Schema',
      {
        jsonSchema: {
          input: () => {
            throw new Error('no');
          },
        },
      },
    ],
    ['is no object', { jsonSchema: { input: () => ({ type: 'string' }) } }],
  ])('is that of the model where a Standard Schema %s', async (_, more) => {
    const create = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }), ...more } } as StandardSchema;
    expect(await shapeOf({ create })).toEqual(UNKNOWN_SHAPE);
  });
});
