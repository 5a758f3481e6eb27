import { applyDecorators, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { BeforeWriteOptions, GivenHook, HookAction } from './hook.js';

/** On classes: Prisma's name of the model, or `'*'`. */
export const HOOKS_METADATA = 'nestjs-resource-api:hooks of';
/** On methods: {@link MarkedHook}s. */
const HOOK_METADATA = 'nestjs-resource-api:hook';

/** What a decorator says of a method. */
type MarkedHook = Pick<GivenHook, 'moment' | 'actions' | 'wantsBefore'>;

/**
 * Marks a provider whose methods are told of what the API writes of a model, in whatever way it is written. Any module may have it.
 *
 * @param model Prisma's name of the model, or `'*'` for all models
 * @example
 * @ResourceHooks('Post')
 * export class PostHooks {
 *   @BeforeWrite('create', 'update')
 *   check({ data }: BeforeWriteOf<PrismaClient, 'Post'>) {
 *     return { ...data, title: data.title?.trim() };
 *   }
 * }
 */
export function ResourceHooks(model: string): ClassDecorator {
  return applyDecorators(Injectable(), SetMetadata(HOOKS_METADATA, model));
}

/**
 * Calls a method before a record is written, in the transaction of the write. What it throws undoes all of the request; what it returns is
 * written instead of the data that it is given.
 *
 * @param given the actions, all where none is named, and {@link BeforeWriteOptions}
 */
export function BeforeWrite(...given: readonly (HookAction | BeforeWriteOptions)[]): BeforeWriteDecorator {
  const actions = given.filter((one) => typeof one === 'string');
  const options = given.find((one) => typeof one === 'object');
  return marked({ moment: 'before', actions, wantsBefore: options?.before === true });
}

/**
 * Calls a method after a record is written, in the transaction of the write, with a client of that transaction. What it throws undoes all of the
 * request.
 *
 * @param actions all where none is named
 */
export function AfterWrite(...actions: readonly HookAction[]): HookDecorator {
  return marked({ moment: 'after', actions, wantsBefore: false });
}

/**
 * Calls a method once the transaction of a request is committed: once for each model and action. The response does not wait for it, and what it
 * throws is logged.
 *
 * @param actions all where none is named
 */
export function AfterCommit(...actions: readonly HookAction[]): HookDecorator {
  return marked({ moment: 'commit', actions, wantsBefore: false });
}

type HookDecorator = (prototype: object, name: string | symbol, method: MethodOf<(given: never) => unknown>) => void;

/** Of a method that returns nothing, or data of the type that it is given. */
type BeforeWriteDecorator = <Given extends { readonly data: unknown }>(
  prototype: object,
  name: string | symbol,
  method: MethodOf<(given: Given) => Returned<Given['data']> | Promise<Returned<Given['data']>>>,
) => void;

/** Its property descriptor. TypeScript's own type has a setter, too, so that a method may return nothing else. */
interface MethodOf<Method> {
  readonly value?: Method;
}

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- A method that returns nothing has this type.
type Returned<Data> = Data | undefined | void;

/** Several decorators of one method add up. */
function marked(hook: MarkedHook): HookDecorator & BeforeWriteDecorator {
  return (_prototype: object, name: string | symbol, { value }: MethodOf<CallableFunction>): void => {
    if (!value) throw new TypeError(`'${String(name)}' is no method.`);
    Reflect.defineMetadata(HOOK_METADATA, [...marksOf(value), hook], value);
  };
}

/** What the decorators of a method say. */
export function marksOf(method: CallableFunction): readonly MarkedHook[] {
  return new Reflector().get<readonly MarkedHook[] | undefined>(HOOK_METADATA, method) ?? [];
}
