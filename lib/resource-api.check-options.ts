import { checkAll } from './errors/check-all.js';
import { checkBoolean, checkNames, checkString, mistyped } from './model/check-option.js';
import type {
  MountOptions,
  RegistrationOptions,
  ResourceApiAsyncOptions,
  ResourceApiFactoryOptions,
  ResourceApiOptions,
  RestMountOptions,
  RestOptions,
  RpcOptions,
} from './resource-api.options.js';
import { isObject } from './utils/is-object.js';
import { later } from './utils/later.js';

/**
 * Checks the names of all options of `forRoot`, those of both styles among them: a mistyped one would be as good as absent. Options come from
 * plain JavaScript too. What the values may be is checked where they are read.
 *
 * @throws ConfigurationError naming the option and what was probably meant
 */
export function checkOptions(options: ResourceApiOptions): void {
  const { rest, rpc } = options;
  checkAll([
    later(checkOptionNames, 'forRoot', options, ALL),
    later(checkRegistration, options),
    later(checkStyle, 'rest', rest, REST),
    later(checkStyle, 'rpc', typeof rpc === 'boolean' ? undefined : rpc, RPC),
  ]);
}

/**
 * {@link checkOptions} for what is given to `forRootAsync` itself.
 *
 * @throws ConfigurationError
 */
export function checkAsyncOptions(options: ResourceApiAsyncOptions): void {
  const { rest, rpc } = options;
  checkAll([
    later(checkOptionNames, 'forRootAsync', options, REGISTRATION),
    later(checkRegistration, options),
    later(checkStyle, 'rest', rest, REST_MOUNT),
    later(checkStyle, 'rpc', typeof rpc === 'boolean' ? undefined : rpc, MOUNT),
  ]);
}

/**
 * {@link checkOptions} for what a factory of `forRootAsync` makes: what decides routes, guards among it, would be too late there.
 *
 * @throws ConfigurationError
 */
export function checkFactoryOptions(options: ResourceApiFactoryOptions): void {
  checkAll([
    later(checkOptionNames, 'The factory of forRootAsync', options, FROM_FACTORY),
    later(checkStyle, 'rest', options.rest, without(REST, REST_MOUNT)),
    later(checkStyle, 'rpc', options.rpc, without(RPC, MOUNT)),
  ]);
}

const MOUNT = Object.keys({ prefix: true } satisfies Record<keyof MountOptions, true>);

const REST_MOUNT = Object.keys({ prefix: true, operations: true } satisfies Record<keyof RestMountOptions, true>);

const REST = Object.keys({
  prefix: true,
  operations: true,
  endpoint: true,
  pageSize: true,
  maxPageSize: true,
  strict: true,
  idDivider: true,
  count: true,
  acceptWeakTags: true,
  cursorKeys: true,
  export: true,
} satisfies Record<keyof RestOptions, true>);

const RPC = Object.keys({ prefix: true, bytes: true } satisfies Record<keyof RpcOptions, true>);

const FROM_FACTORY = Object.keys({
  schema: true,
  getClient: true,
  bootClient: true,
  resources: true,
  grants: true,
  rules: true,
  access: true,
  idempotency: true,
  limits: true,
  mapError: true,
  onClientBroken: true,
  rest: true,
  rpc: true,
} satisfies Record<keyof ResourceApiFactoryOptions, true>);

const ENHANCERS = ['guards', 'interceptors', 'pipes'] as const satisfies readonly (keyof RegistrationOptions)[];

const REGISTRATION = Object.keys({
  guards: true,
  interceptors: true,
  pipes: true,
  isGlobal: true,
  imports: true,
  rest: true,
  rpc: true,
  inject: true,
  useFactory: true,
  useClass: true,
  useExisting: true,
} satisfies Record<keyof ResourceApiAsyncOptions, true>);

const ALL = [...FROM_FACTORY, ...ENHANCERS, 'isGlobal'];

function checkOptionNames(place: string, options: object, known: readonly string[]): void {
  checkNames(options, { place, known, kind: 'option here', all: 'The options are' });
}

function checkStyle(style: 'rest' | 'rpc', options: object | undefined, known: readonly string[]): void {
  if (options !== undefined) checkOptionNames(style, options, known);
}

function checkRegistration({ rest, rpc, isGlobal = false, ...enhancers }: RegistrationOptions & { rest?: unknown; rpc?: unknown }): void {
  for (const style of [rest, rpc]) if (isObject(style)) checkString('prefix', style['prefix'] ?? '');
  checkBoolean('isGlobal', isGlobal);
  for (const name of ENHANCERS) {
    const given: unknown = enhancers[name];
    if (given !== undefined && !Array.isArray(given)) throw mistyped(name, given, 'an array');
  }
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  return names.filter((name) => !others.includes(name));
}
