import { ApiError, type Problem } from '../../../lib/errors/api-error.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { DEFAULT_LIMITS, type Limits } from '../../../lib/model/limits.js';
import type { Attribute, Relationship, Resource } from '../../../lib/model/surface/surface.js';
import type { DatabaseProvider } from '../../../lib/model/schema/resource-schema.js';
import type { ResourcesOption } from '../../../lib/model/exposure/resources-option.js';
import { parseQuery } from '../../../lib/rest/parse/parse-query.js';
import { parseRelationshipTarget, parseResourceTarget } from '../../../lib/rest/parse/parse-target.js';
import type { CollectionQuery, ResourceQuery, SingleQuery } from '../../../lib/rest/parse/resource-query.js';
import type { RelationshipTarget, ResourceTarget } from '../../../lib/rest/parse/target.js';
import type { PlanContext } from '../../../lib/rest/plan/plan-context.js';
import { createRestContext } from '../../../lib/rest/plan/rest-contexts.js';
import type { RestSettings } from '../../../lib/options/rest-settings.js';
import { belongsTo, enumeration, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

/** A publisher: every kind of field, id and relation that a read can meet. */
const SCHEMA = schemaOf(
  {
    User: modelOf(
      {
        id: ID,
        email: scalar('String'),
        name: scalar('String', { optional: true }),
        role: enumeration('Role'),
        passwordHash: scalar('String', { api: 'hidden' }),
        pin: scalar('String', { optional: true, api: 'writeOnly' }),
        posts: hasMany('Post', 'author'),
        comments: hasMany('Comment', 'author'),
        profile: { kind: 'relation', type: 'Profile', relation: 'User_profile', opposite: 'user', optional: true },
        manager: belongsTo('User', 'reports', { fields: ['managerId'], optional: true }),
        managerId: scalar('Int', { optional: true }),
        reports: hasMany('User', 'manager'),
      },
      { uniqueKeys: [keyOf('email')] },
    ),
    Profile: modelOf({ id: ID, bio: scalar('String'), userId: scalar('Int'), user: belongsTo('User', 'profile', { fields: ['userId'] }) }),
    Post: modelOf({
      id: ID,
      title: scalar('String'),
      content: scalar('String', { optional: true }),
      published: scalar('Boolean'),
      views: scalar('Int'),
      reads: scalar('BigInt'),
      price: scalar('Decimal', { optional: true }),
      createdAt: scalar('DateTime'),
      cover: scalar('Bytes', { optional: true }),
      metadata: scalar('Json', { optional: true }),
      token: scalar('String', { nativeType: ['Uuid', []] }),
      keywords: scalar('String', { list: true }),
      author: belongsTo('User', 'posts', { fields: ['authorId'] }),
      authorId: scalar('Int'),
      comments: hasMany('Comment', 'post'),
      tags: hasMany('Tag', 'posts'),
    }),
    Comment: modelOf({
      id: ID,
      body: scalar('String'),
      post: belongsTo('Post', 'comments', { fields: ['postId'] }),
      postId: scalar('Int'),
      author: belongsTo('User', 'comments', { fields: ['authorId'], optional: true }),
      authorId: scalar('Int', { optional: true }),
    }),
    Tag: modelOf({ id: ID, name: scalar('String'), posts: hasMany('Post', 'tags') }),
    Line: modelOf(
      { orderId: scalar('BigInt'), sku: scalar('String'), quantity: scalar('Int'), refunds: hasMany('Refund', 'line') },
      { primaryKey: keyOf('orderId', 'sku') },
    ),
    Refund: modelOf({
      id: ID,
      orderId: scalar('BigInt', { optional: true }),
      sku: scalar('String', { optional: true }),
      line: belongsTo('Line', 'refunds', { fields: ['orderId', 'sku'], references: ['orderId', 'sku'], optional: true }),
    }),
  },
  { Role: ['READER', 'AUTHOR'] },
);

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
  readonly settings?: Partial<RestSettings>;
  readonly limits?: Partial<Limits>;
  readonly provider?: DatabaseProvider;
}

export function readContext({ resources = {}, settings, limits, provider = 'postgresql' }: FixtureOptions = {}): PlanContext {
  const { model } = buildResourceModel({ ...SCHEMA, provider }, { resources });
  return createRestContext(model, { ...SETTINGS, ...settings }, { ...DEFAULT_LIMITS, ...limits });
}

export function resourceOf(context: PlanContext, model: string): Resource {
  const resource = context.model.byModel.get(model);
  if (!resource) throw new Error(`There is no model ${model}.`);
  return resource;
}

export function attributeOf(resource: Resource, name: string): Attribute {
  const field = resource.fields.get(name);
  if (field?.kind !== 'attribute') throw new Error(`There is no attribute ${name}.`);
  return field;
}

export function relationshipOf(resource: Resource, name: string): Relationship {
  const field = resource.fields.get(name);
  if (field?.kind !== 'relationship') throw new Error(`There is no relationship ${name}.`);
  return field;
}

/** The query of `GET /:type?search`. */
export function collectionQuery(context: PlanContext, model: string, search = ''): CollectionQuery {
  return parseQuery({ kind: 'collection', resource: resourceOf(context, model) }, search, context);
}

/** The query of `GET /:type/:id?search`. */
export function resourceQuery(context: PlanContext, path: readonly [type: string, id: string], search = ''): SingleQuery<ResourceTarget> {
  const [type, id] = path;
  return parseQuery(parseResourceTarget('read', { type, id }, context), search, context);
}

/** The query of `GET /:type/:id/:relationship?search`, or of `GET /:type/:id/relationships/:relationship?search`. */
export function relatedQuery(
  context: PlanContext,
  path: readonly [type: string, id: string, ...relationship: string[]],
  search = '',
): ResourceQuery<RelationshipTarget> {
  const [type, id, ...rest] = path;
  const kind = rest.length > 1 ? 'relationship' : 'related';
  const target = parseRelationshipTarget('read', kind, { type, id, relationship: rest.at(-1) ?? '' }, context);
  return parseQuery(target, search, context);
}

/** Returns the problems of an error, as `code at parameter: detail` lines; fails the test for anything but an ApiError. */
export function problemsOf(run: () => unknown): string[] {
  return errorOf(run).problems.map((problem) => `${problem.code} at ${parameterOf(problem)}: ${problem.detail}`);
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

function parameterOf({ source }: Problem): string {
  return source && 'parameter' in source ? source.parameter : 'nowhere';
}
