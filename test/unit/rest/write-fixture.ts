import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import type { Storage } from '../../../lib/model/storage/storage.js';
import { DEFAULT_LIMITS, type Limits } from '../../../lib/model/limits.js';
import type { ResourceModel } from '../../../lib/model/resource-model.js';
import type { ResourcesOption } from '../../../lib/model/exposure/resources-option.js';
import { ApiError, type Problem } from '../../../lib/errors/api-error.js';
import type { ResourceSchema, SchemaField } from '../../../lib/model/schema/resource-schema.js';
import type { PlanContext } from '../../../lib/rest/plan/plan-context.js';
import { createRestContext } from '../../../lib/rest/plan/rest-contexts.js';
import type { RestSettings } from '../../../lib/options/rest-settings.js';
import { belongsTo, enumeration, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

/** A publisher: every kind of relation and of id that a write can meet. */
const SCHEMA = schemaOf(
  {
    User: modelOf(
      {
        id: ID,
        email: scalar('String'),
        role: enumeration('Role', { default: { kind: 'value', value: 'READER' } }),
        passwordHash: scalar('String', { optional: true, api: 'hidden' }),
        loginCount: scalar('Int', { default: { kind: 'value', value: 0 }, api: 'readOnly' }),
        locale: scalar('String', { optional: true, api: 'immutable' }),
        posts: hasMany('Post', 'author'),
        profile: { kind: 'relation', type: 'Profile', relation: 'User_profile', opposite: 'user', optional: true },
        badge: { kind: 'relation', type: 'Badge', relation: 'User_badge', opposite: 'user', optional: true },
        tasks: hasMany('Task', 'owner'),
        drafts: { kind: 'relation', type: 'Draft', relation: 'User_drafts', list: true },
      },
      { uniqueKeys: [keyOf('email')] },
    ),
    // Its relation to the user is ignored in the schema (`@ignore`).
    Draft: modelOf({ id: ID, userId: scalar('Int', { optional: true, api: 'readOnly' }) }),
    Profile: modelOf(
      {
        id: ID,
        bio: scalar('String', { optional: true }),
        userId: scalar('Int'),
        user: belongsTo('User', 'profile', { fields: ['userId'] }),
      },
      { uniqueKeys: [keyOf('userId')] },
    ),
    Badge: modelOf(
      {
        id: ID,
        userId: scalar('Int', { optional: true }),
        user: belongsTo('User', 'badge', { fields: ['userId'], optional: true }),
      },
      { uniqueKeys: [keyOf('userId')] },
    ),
    Category: modelOf(
      { id: ID, slug: scalar('String'), name: scalar('String'), posts: hasMany('Post', 'category') },
      { uniqueKeys: [keyOf('slug')] },
    ),
    Post: modelOf(
      {
        id: ID,
        slug: scalar('String'),
        title: scalar('String'),
        views: scalar('BigInt', { default: { kind: 'value', value: 0 } }),
        price: scalar('Decimal', { optional: true }),
        publishedAt: scalar('DateTime', { optional: true }),
        cover: scalar('Bytes', { optional: true }),
        keywords: scalar('String', { list: true }),
        metadata: scalar('Json', { optional: true }),
        layout: scalar('Json', { default: { kind: 'value', value: '{}' } }),
        year: scalar('Int', { optional: true }),
        edition: scalar('Int', { optional: true }),
        authorId: scalar('Int'),
        author: belongsTo('User', 'posts', { fields: ['authorId'] }),
        categoryId: scalar('Int', { optional: true }),
        category: belongsTo('Category', 'posts', { fields: ['categoryId'], optional: true }),
        comments: hasMany('Comment', 'post'),
        notes: hasMany('Note', 'post'),
        tags: hasMany('Tag', 'posts'),
      },
      { uniqueKeys: [keyOf('slug'), keyOf('year', 'edition')] },
    ),
    Comment: modelOf({
      id: ID,
      body: scalar('String'),
      postId: scalar('Int'),
      post: belongsTo('Post', 'comments', { fields: ['postId'] }),
    }),
    Note: modelOf({
      id: ID,
      postId: scalar('Int', { optional: true }),
      post: belongsTo('Post', 'notes', { fields: ['postId'], optional: true }),
    }),
    Tag: modelOf({ id: ID, name: scalar('String'), posts: hasMany('Post', 'tags') }),
    Subscriber: modelOf({ email: scalar('String', { nativeType: ['Citext', []] }) }, { primaryKey: keyOf('email') }),
    Country: modelOf({ code: scalar('String'), name: scalar('String') }, { primaryKey: keyOf('code') }),
    Line: modelOf(
      {
        orderId: scalar('BigInt'),
        productId: scalar('Int'),
        quantity: scalar('Int', { default: { kind: 'value', value: 1 } }),
        order: belongsTo('Order', 'lines', { fields: ['orderId'] }),
        refunds: hasMany('Refund', 'line'),
      },
      { primaryKey: keyOf('orderId', 'productId') },
    ),
    Order: modelOf({ id: scalar('BigInt', { default: { kind: 'function', name: 'autoincrement' } }), lines: hasMany('Line', 'order') }),
    Refund: modelOf({
      id: ID,
      orderId: scalar('BigInt', { optional: true }),
      productId: scalar('Int', { optional: true }),
      line: belongsTo('Line', 'refunds', { fields: ['orderId', 'productId'], references: ['orderId', 'productId'], optional: true }),
    }),
    Member: modelOf(
      { tenantId: scalar('Int'), number: scalar('Int'), tasks: hasMany('Task', 'assignee'), reviews: hasMany('Task', 'reviewer') },
      { primaryKey: keyOf('tenantId', 'number') },
    ),
    Task: modelOf({
      id: ID,
      tenantId: scalar('Int'),
      assigneeNumber: scalar('Int', { optional: true }),
      assignee: memberOf('tasks', 'assigneeNumber'),
      reviewerNumber: scalar('Int', { optional: true }),
      reviewer: memberOf('reviews', 'reviewerNumber'),
      ownerId: scalar('Int', { optional: true }),
      owner: belongsTo('User', 'tasks', { fields: ['ownerId'], optional: true }),
    }),
  },
  { Role: ['READER', 'AUTHOR'] },
);

/** A key of two columns, of which one is the row's tenant. */
function memberOf(opposite: string, number: string): SchemaField {
  return belongsTo('Member', opposite, { fields: ['tenantId', number], references: ['tenantId', 'number'], optional: true });
}

const SETTINGS: RestSettings = {
  endpoint: 'https://api.example/rest',
  pageSize: 100,
  maxPageSize: 1000,
  strict: false,
  idDivider: '_',
  count: 'exact',
};

export interface FixtureOptions {
  readonly resources?: ResourcesOption;
  /** @default Prisma on PostgreSQL */
  readonly database?: Partial<Pick<ResourceSchema, 'provider' | 'orm'>>;
  readonly settings?: Partial<RestSettings>;
  readonly limits?: Partial<Limits>;
}

export function writeContext({ resources = {}, database = {}, settings, limits }: FixtureOptions = {}): PlanContext {
  return createRestContext(modelFor(resources, database), { ...SETTINGS, ...settings }, { ...DEFAULT_LIMITS, ...limits });
}

/** The storage of the fixture's models. */
export const STORAGE: Storage = buildStorage(SCHEMA);

const models = new Map<string, ResourceModel>();

function modelFor(resources: ResourcesOption, database: NonNullable<FixtureOptions['database']>): ResourceModel {
  const key = JSON.stringify([resources, database]);
  const model = models.get(key) ?? buildResourceModel({ ...SCHEMA, ...database }, { resources }).model;
  models.set(key, model);
  return model;
}

/** Returns the problems of an error, as `status code at pointer` lines; fails the test for anything but an ApiError. */
export function problemsOf(run: () => unknown): string[] {
  return errorOf(run).problems.map((problem) => `${problem.code} ${pointerOf(problem)}`);
}

export function errorOf(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}

function pointerOf({ source }: Problem): string {
  return source && 'pointer' in source ? `'${source.pointer}'` : 'nowhere';
}
