import { applyDecorators, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { BeforeWriteOptions, HookMethod, HookAction } from './hook.js';

/** The metadata key of classes with hooks. Its value is Prisma's name of the model, or `'*'`. */
export const HOOKS_METADATA = 'nestjs-resource-api:hooks of';
/** The metadata key of hook methods. Its value is a list of {@link HookMetadata}s. */
const HOOK_METADATA = 'nestjs-resource-api:hook';

/** The metadata that a hook decorator sets on a method. */
type HookMetadata = Pick<HookMethod, 'moment' | 'actions' | 'wantsBefore'>;

/**
 * Marks a provider whose methods receive the writes of the API to a model, whichever operation writes. Any module may provide it.
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
 * Calls a method before a record is written, in the transaction of the write. An error that the method throws rolls back the whole request. Data that
 * it returns is written instead of the data that it received.
 *
 * @param given the actions (all if none is named), and {@link BeforeWriteOptions}
 */
export function BeforeWrite(...given: readonly (HookAction | BeforeWriteOptions)[]): BeforeWriteDecorator {
  const actions = given.filter((one) => typeof one === 'string');
  const options = given.find((one) => typeof one === 'object');
  return marked({ moment: 'before', actions, wantsBefore: options?.before === true });
}

/**
 * Calls a method after a record is written, in the transaction of the write, with a client of that transaction. An error that the method throws rolls
 * back the whole request.
 *
 * @param actions all if none is named
 */
export function AfterWrite(...actions: readonly HookAction[]): HookDecorator {
  return marked({ moment: 'after', actions, wantsBefore: false });
}

/**
 * Calls a method after the transaction of a request is committed, once for each model and action. The response does not wait for the method. An error
 * that it throws is logged.
 *
 * @param actions all if none is named
 */
export function AfterCommit(...actions: readonly HookAction[]): HookDecorator {
  return marked({ moment: 'commit', actions, wantsBefore: false });
}

type HookDecorator = (prototype: object, name: string | symbol, method: MethodOf<(given: never) => unknown>) => void;

/** Decorates a method that returns nothing, or data of the type that it receives. */
type BeforeWriteDecorator = <Given extends { readonly data: unknown }>(
  prototype: object,
  name: string | symbol,
  method: MethodOf<(given: Given) => Returned<Given['data']> | Promise<Returned<Given['data']>>>,
) => void;

/** The property descriptor of a method. TypeScript's own type also has a setter, which would make the type of the method invariant. */
interface MethodOf<Method> {
  readonly value?: Method;
}

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- A method that returns nothing has this type.
type Returned<Data> = Data | undefined | void;

/** Adds a hook to the metadata of a method, which may have several hook decorators. */
function marked(hook: HookMetadata): HookDecorator & BeforeWriteDecorator {
  return (_prototype: object, name: string | symbol, { value }: MethodOf<CallableFunction>): void => {
    if (!value) throw new TypeError(`'${String(name)}' is no method.`);
    Reflect.defineMetadata(HOOK_METADATA, [...marksOf(value), hook], value);
  };
}

/** Returns the hooks that the decorators of a method have set on it. */
export function marksOf(method: CallableFunction): readonly HookMetadata[] {
  return new Reflector().get<readonly HookMetadata[] | undefined>(HOOK_METADATA, method) ?? [];
}
