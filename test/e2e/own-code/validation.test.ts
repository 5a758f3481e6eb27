import { Type } from 'class-transformer';
import { IsEmail, IsInt, IsOptional, IsString, MinLength, Validate, ValidateNested, ValidatorConstraint } from 'class-validator';
import { Test } from '@nestjs/testing';
import { ResourceApiModule, type ResourcesOption } from 'nestjs-resource-api';
import { z } from 'zod';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { refusalOf, user } from '../rest/write-suite.js';
import { tinySchema } from '../../support/tiny-app.js';

/** Validates asynchronously, like a validator that calls a service. */
@ValidatorConstraint({ async: true })
class NotTaken {
  async validate(name: unknown): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return name !== 'root';
  }
  defaultMessage(): string {
    return 'name is taken';
  }
}

class UserDto {
  @IsOptional({ groups: ['update'] })
  @IsEmail({}, { always: true })
  email!: string;

  @IsOptional({ groups: ['update'] })
  @MinLength(3, { message: 'name is too short' })
  @Validate(NotTaken)
  name!: string;

  @IsOptional()
  @IsInt({ groups: ['update'] })
  pin?: unknown;
}

class StreetDto {
  @IsString()
  street!: string;
}

class OrderDto {
  @ValidateNested()
  @Type(() => StreetDto)
  address!: StreetDto;
}

const PostSchema = z.object({
  title: z.string().trim().min(3),
  content: z.string().nullish(),
  authorId: z.int().optional(),
  published: z.boolean().default(true),
  publishedAt: z.date().nullish(),
  viewCount: z.union([z.int(), z.object({ increment: z.int().max(5) })]).optional(),
  metadata: z.looseObject({ source: z.string() }).nullish(),
});

const RESOURCES: ResourcesOption = {
  User: { validate: { create: UserDto, update: UserDto }, fields: { passwordHash: { create: true, update: true } } },
  Post: { validate: { create: PostSchema, update: PostSchema.partial().extend({ published: z.boolean().optional() }) } },
  Comment: { validate: { create: z.looseObject({ body: z.string().refine((text) => Promise.resolve(!text.includes('spam')), 'Spam.') }) } },
  Order: { validate: { create: OrderDto } },
  Tag: { validate: { create: z.looseObject({ name: z.string().toLowerCase() }), update: z.looseObject({}) } },
};

const EMAIL = 'email must be an email.';
const USER = { email: 'new@example.com', name: 'Newton', passwordHash: 'x' };

onPlatforms('validators of bodies', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources: RESOURCES } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const post = (type: string, attributes: object, more: object = {}): Promise<Awaited<ReturnType<typeof app.rest.post>>> =>
    app.rest.post(`/${type}`, { data: { type, attributes, ...more } });

  describe('in REST', () => {
    it('reject a body with 422 and one error for each fault, with its pointer, before any SQL', async () => {
      const response = await post('user', { ...USER, email: 'nobody', name: 'N' });
      expect(refusalOf(response)).toEqual([422, 'validation-error /data/attributes/email', 'validation-error /data/attributes/name']);
      expect(response.errors[0]).toMatchObject({ title: 'Validation failed', detail: EMAIL });
      expect(database.statements.all).toEqual([]);
    });

    it('may be asynchronous', async () => {
      expect(refusalOf(await post('user', { ...USER, name: 'root' }))).toEqual([422, 'validation-error /data/attributes/name']);
    });

    it('accept a valid body', async () => {
      expect((await post('user', USER)).status).toBe(201);
    });

    it('validate only those members of an update that it has', async () => {
      expect((await app.rest.patch('/user/1', { data: user1({ name: 'Adelaide' }) })).status).toBe(200);
      expect(refusalOf(await app.rest.patch('/user/1', { data: user1({ email: 'x' }) }))).toEqual([
        422,
        'validation-error /data/attributes/email',
      ]);
    });

    it('run the decorators of the group named like the action', async () => {
      expect((await post('user', { ...USER, pin: 'abc' })).status).toBe(201);
      expect(refusalOf(await app.rest.patch('/user/1', { data: user1({ pin: 'abc' }) }))).toEqual([
        422,
        'validation-error /data/attributes/pin',
      ]);
    });

    it('point into nested values, and at the parent of a missing one', async () => {
      const order = (address: unknown): object => ({ number: 'N-1', address, customerId: 1 });
      expect(refusalOf(await post('order', order({ street: 5 })))).toEqual([422, 'validation-error /data/attributes/address/street']);
      expect(refusalOf(await post('order', order({ city: 'x' })))).toEqual([422, 'validation-error /data/attributes/address']);
      expect((await post('order', order({ street: 'High Street' }))).status).toBe(201);
    });

    it('return the values that are written', async () => {
      const { one, status } = await post('post', { title: '  Trimmed ', authorId: 1, metadata: null });
      expect(status).toBe(201);
      expect(one.attributes).toMatchObject({ title: 'Trimmed', published: true, metadata: null });
    });

    it('receive values of the type of their field', async () => {
      expect((await post('post', { title: 'Dated', authorId: 1, publishedAt: '2026-01-02T03:04:05.000Z' })).status).toBe(201);
    });

    it('reject members that a schema would drop', async () => {
      expect(refusalOf(await post('post', { title: 'Long', authorId: 1, rating: '4.5' }))).toEqual([
        422,
        'validation-error /data/attributes/rating',
      ]);
    });

    it('do not receive linkage', async () => {
      const relationships = { author: { data: user(1) } };
      expect((await post('post', { title: 'Linked' }, { relationships })).status).toBe(201);
      expect(refusalOf(await post('post', { title: 'x' }, { relationships }))).toEqual([422, 'validation-error /data/attributes/title']);
    });

    it('validate an upsert both as a create and as an update', async () => {
      const upsert = (name: string): Promise<Awaited<ReturnType<typeof app.rest.post>>> =>
        app.rest.post('/tag', { data: { type: 'tag', attributes: { name } }, meta: { operation: 'upsert', matchFields: ['name'] } });
      const first = await upsert('SHOUTED');
      expect(first.one.attributes).toMatchObject({ name: 'shouted' });
      expect((await upsert('Shouted')).one.id).toBe(first.one.id);
    });
  });

  describe('in RPC', () => {
    const USER_DATA = { ...USER, email: 'nobody' };
    const POST_DATA = { title: 'x' };
    const TITLE = 'Too small: expected string to have >=3 characters.';
    const inUser = (posts: object): object => ({ data: { ...USER, posts } });

    it.each<[string, string, object, readonly string[]]>([
      ['create', 'user/create', { data: USER_DATA }, [`data.email: ${EMAIL}`]],
      ['every fault', 'user/create', { data: { ...USER_DATA, name: 'N' } }, [`data.email: ${EMAIL}`, 'data.name: name is too short.']],
      ['createMany of one', 'user/createMany', { data: USER_DATA }, [`data.email: ${EMAIL}`]],
      ['createMany', 'user/createMany', { data: [USER, USER_DATA] }, [`data.1.email: ${EMAIL}`]],
      ['createManyAndReturn', 'user/createManyAndReturn', { data: [USER_DATA] }, [`data.0.email: ${EMAIL}`]],
      ['update', 'user/update', { where: { id: 1 }, data: { email: 'x' } }, [`data.email: ${EMAIL}`]],
      ['update by set', 'user/update', { where: { id: 1 }, data: { email: { set: 'x' } } }, [`data.email: ${EMAIL}`]],
      ['updateMany', 'user/updateMany', { where: {}, data: { email: 'x' } }, [`data.email: ${EMAIL}`]],
      ['updateManyAndReturn', 'user/updateManyAndReturn', { where: {}, data: { email: 'x' } }, [`data.email: ${EMAIL}`]],
      ['upsert, creating', 'user/upsert', { where: { id: 1 }, create: USER_DATA, update: {} }, [`create.email: ${EMAIL}`]],
      ['upsert, updating', 'user/upsert', { where: { id: 1 }, create: USER, update: { email: 'x' } }, [`update.email: ${EMAIL}`]],
      ['an operation', 'post/update', { where: { id: 1 }, data: { viewCount: { decrement: 1 } } }, ['data.viewCount: Invalid input.']],
      ['what a schema drops', 'post/create', { data: { title: 'Long', rating: 4 } }, ['data.rating: This field is not accepted here.']],
      ['nested create', 'user/create', inUser({ create: POST_DATA }), [`data.posts.create.title: ${TITLE}`]],
      ['nested create of many', 'user/create', inUser({ create: [POST_DATA] }), [`data.posts.create.0.title: ${TITLE}`]],
      ['nested createMany', 'user/create', inUser({ createMany: { data: [POST_DATA] } }), [`data.posts.createMany.data.0.title: ${TITLE}`]],
      [
        'nested connectOrCreate',
        'user/create',
        inUser({ connectOrCreate: { where: { id: 1 }, create: POST_DATA } }),
        [`data.posts.connectOrCreate.create.title: ${TITLE}`],
      ],
      [
        'to-one create',
        'comment/create',
        { data: { body: 'Hm', author: { create: USER_DATA }, post: { connect: { id: 1 } } } },
        [`data.author.create.email: ${EMAIL}`],
      ],
      [
        'to-one update',
        'post/update',
        { where: { id: 1 }, data: { author: { update: { email: 'x' } } } },
        [`data.author.update.email: ${EMAIL}`],
      ],
      [
        'to-one update with a condition',
        'post/update',
        { where: { id: 1 }, data: { author: { update: { where: {}, data: { email: 'x' } } } } },
        [`data.author.update.data.email: ${EMAIL}`],
      ],
      [
        'to-one upsert',
        'post/update',
        { where: { id: 1 }, data: { author: { upsert: { create: USER, update: { email: 'x' } } } } },
        [`data.author.upsert.update.email: ${EMAIL}`],
      ],
      [
        'nested update',
        'user/update',
        { where: { id: 1 }, data: { posts: { update: [{ where: { id: 1 }, data: { title: 'x' } }] } } },
        [`data.posts.update.0.data.title: ${TITLE}`],
      ],
      [
        'nested updateMany',
        'user/update',
        { where: { id: 1 }, data: { posts: { updateMany: { where: {}, data: { title: 'x' } } } } },
        [`data.posts.updateMany.data.title: ${TITLE}`],
      ],
      [
        'nested upsert',
        'user/update',
        { where: { id: 1 }, data: { posts: { upsert: { where: { id: 1 }, create: POST_DATA, update: {} } } } },
        [`data.posts.upsert.create.title: ${TITLE}`],
      ],
      [
        'three levels',
        'user/update',
        {
          where: { id: 1 },
          data: { posts: { update: { where: { id: 1 }, data: { comments: { create: { body: 'spam' } } } } } },
        },
        ['data.posts.update.data.comments.create.body: Spam.'],
      ],
    ])('reject %s with 400 and the path of each fault, before any SQL', async (_, operation, args, messages) => {
      const { status, error } = await app.rpc.call(operation, args);
      const problems = messages.map((message) => {
        const [path = '', fault] = message.split(/: (.*)/s);
        return { path, message: fault, code: 'validation-error' };
      });
      expect([status, error]).toEqual([400, { message: messages.join(' '), problems }]);
      expect(database.statements.all).toEqual([]);
    });

    it('reject a whole batch before any SQL, with the index of the operation', async () => {
      const { status, error } = await app.rpc.sequential([
        { model: 'user', op: 'create', args: { data: USER } },
        { model: 'user', op: 'create', args: { data: USER_DATA } },
      ]);
      expect([status, error.message]).toEqual([400, `operations[1]: data.email: ${EMAIL}`]);
      expect(database.statements.all).toEqual([]);
    });

    it('return the values that are written, also of nested records', async () => {
      const { data } = await app.rpc.call('user/create', {
        data: { ...USER, posts: { create: [{ title: ' One one ', comments: { create: { body: 'Fine' } } }, { title: ' Two two ' }] } },
        select: { posts: { select: { title: true, published: true, comments: { select: { body: true } } }, orderBy: { id: 'asc' } } },
      });
      expect(data).toEqual({
        posts: [
          { title: 'One one', published: true, comments: [{ body: 'Fine' }] },
          { title: 'Two two', published: true, comments: [] },
        ],
      });
    });

    it('receive an operation on a field, such as increment, unchanged', async () => {
      const update = (increment: number): Promise<Awaited<ReturnType<typeof app.rpc.call>>> =>
        app.rpc.call('post/update', { where: { id: 1 }, data: { viewCount: { increment } }, select: { id: true } });
      expect((await update(5)).status).toBe(200);
      expect((await update(6)).status).toBe(400);
    });
  });
});

it('a validator class without any decorator is a configuration error at start', async () => {
  class Empty {
    name!: string;
  }
  const api = ResourceApiModule.forRoot({
    schema: tinySchema,
    getClient: () => ({}),
    resources: { User: { validate: { update: Empty } } },
  });
  await expect(Test.createTestingModule({ imports: [api] }).compile()).rejects.toThrow(
    /^resources\.User\.validate\.update is 'Empty', on which no decorator of class-validator runs for 'update'\./,
  );
});

function user1(attributes: object): object {
  return { type: 'user', id: 1, attributes };
}
