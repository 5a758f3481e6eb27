import { applyDecorators, Injectable, SetMetadata } from '@nestjs/common';
import type { ResourceActionOptions } from './action.js';

/** The metadata key of classes with actions. Its value is Prisma's name of the model. */
export const MODEL_METADATA = 'nestjs-resource-api:actions of';
/** The metadata key of action methods. Its value is {@link ResourceActionOptions}. */
export const ACTION_METADATA = 'nestjs-resource-api:action';

/**
 * Marks a provider whose methods with {@link ResourceAction} are operations of a model. Any module may have it.
 *
 * @param model Prisma's name of the model
 * @example
 * @ResourceActions('Post')
 * export class PostActions {
 *   @ResourceAction({ on: 'record', right: 'update' })
 *   publish({ record, client }: ActionOf<PrismaClient, 'Post'>) {
 *     return client.post.update({ where: { id: record.id }, data: { published: true } });
 *   }
 * }
 */
export function ResourceActions(model: string): ClassDecorator {
  return applyDecorators(Injectable(), SetMetadata(MODEL_METADATA, model));
}

/**
 * Exposes a method as an operation of the model: `POST /<type>/<id>/<method>` in REST, and `POST /<model>/<method>` in RPC. One transaction contains
 * the look-up of the record and the method. The response is the returned value: a record of the model as a resource, any other value as data.
 *
 * @param options `on` defaults to `'record'`, and `right`, which the caller must have, to `'update'`; `documentation` is
 * what the OpenAPI document and `$describe` say of it
 */
export function ResourceAction(options: ResourceActionOptions = {}): MethodDecorator {
  return SetMetadata(ACTION_METADATA, options);
}
