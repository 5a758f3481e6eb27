import { applyDecorators, Injectable, SetMetadata } from '@nestjs/common';
import type { ResourceActionOptions } from './action.js';

/** On classes: Prisma's name of the model. */
export const MODEL_METADATA = 'nestjs-resource-api:actions of';
/** On methods: {@link ResourceActionOptions}. */
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
 * Makes a method an operation of the model: `POST /<type>/<id>/<method>` and `POST /<model>/<method>` of RPC. It runs in one transaction with the
 * look-up of its record, and what it returns is the answer: a record of the model as a resource, anything else as data.
 *
 * @param options `on` is `'record'`, and `right`, which the caller must have, `'update'`, unless they say otherwise
 */
export function ResourceAction(options: ResourceActionOptions = {}): MethodDecorator {
  return SetMetadata(ACTION_METADATA, options);
}
