import type { OwnActions } from './actions/action.js';
import { compileActions, restoreActions, withActions } from './actions/compile-actions.js';
import { compileIdempotency, hidingRecords, withIdempotency } from './idempotency/compile-idempotency.js';
import { buildGrantedModels, type ModelsByGrants } from './model/granted-models.js';
import { checkAll } from './errors/check-all.js';
import { ConfigurationError } from './errors/configuration-error.js';
import { ConfigurationProblems } from './errors/configuration-problems.js';
import { checkChoice, checkObject, mistyped } from './model/check-option.js';
import { DEFAULT_LIMITS, type Limits } from './model/limits.js';
import type { ResourceModel } from './model/resource-model.js';
import type { HostHooks } from './hooks/host-hooks.js';
import { type FoundCode, NOTHING_FOUND, rowStage, withRows } from './resource-api.row-stage.js';
import { cursorWarnings, requireOffered } from './resource-api.offered.js';
import { restSettings } from './resource-api.rest-options.js';
import type { ApiStyle } from './platform/style.js';
import type { Registration } from './resource-api.module-definition.js';
import { type OperationsMount, requireFreePath } from './resource-api.operations.js';
import type { ResourceApiFactoryOptions, ResourceApiOptions, RpcOptions } from './resource-api.options.js';
import type { RestSettings } from './rest/rest-settings.js';
import type { RpcSettings } from './rpc/rpc-settings.js';
import { RPC_OPERATIONS } from './rpc/rpc-operations.js';
import type { RowRules } from './rules/row-rules.js';
import { compileServerValues, type ServerValues } from './server-values/compile-server-values.js';
import { isObject } from './utils/is-object.js';
import { later } from './utils/later.js';

/** The options once checked, with their defaults; all that the services read. */
export interface CompiledOptions {
  /** What any style that is on serves. */
  readonly model: ResourceModel;
  /** What each style serves of it: REST leaves models without an id out. */
  readonly models: Readonly<Record<ApiStyle, ResourceModel>>;
  /** What deserves a line in the boot log. */
  readonly warnings: readonly string[];
  readonly limits: Limits;
  /** Absent where the style is off. */
  readonly rest?: RestSettings;
  /** Absent where the style is off. */
  readonly rpc?: RpcSettings;
  /** Null where the host gives neither rules nor hooks, and no model has soft delete. */
  readonly rules: RowRules | null;
  /** Null where the host has none. */
  readonly hooks: HostHooks | null;
  /** The host's own operations. */
  readonly ownActions: OwnActions;
  /** Null where there are none. */
  readonly serverValues: ServerValues | null;
  /** Null where the host keeps no answers. */
  readonly idempotency: ReturnType<typeof compileIdempotency>;
}

/**
 * Checks the options against the schema and fills in the defaults. Runs once, at boot.
 * @throws ConfigurationError
 */
export function compileOptions(
  options: ResourceApiOptions | ResourceApiFactoryOptions,
  registration: Registration,
  found: FoundCode = NOTHING_FOUND,
): CompiledOptions {
  const problems = new ConfigurationProblems();
  const styles = new Set<ApiStyle>(registration.mounts.map((mount) => mount.style));
  problems.collect(later(checkGiven, options, styles));
  const limits = problems.collect(() => limitsOf(options.limits)) ?? DEFAULT_LIMITS;
  const rest = styles.has('rest') ? problems.collect(() => restSettings(options.rest, limits, operationsOf(registration))) : undefined;
  const rpc = styles.has('rpc') ? problems.collect(() => rpcSettings(options.rpc)) : undefined;
  const built = problems.collect(() => buildModels(options, rest?.strict ?? false));
  problems.collect(later(requireOffered, rest, built));
  const { rules, hooks } = rowStage(options, built, { limits, found, problems });
  problems.throwAny();
  // A schema that is missing was told just now.
  const { warnings, restWarnings, widest, served } = built ?? buildModels(options, false);
  requireFreePath(rest, widest.restModel);
  const ownActions = compileActions([...found.actions, ...restoreActions(rules)], widest.model, OPERATIONS);
  const idempotency = compileIdempotency(options, withActions(widest.model, ownActions));
  const { model, restModel } = served((of) => withIdempotency(withActions(withRows(of, rules), ownActions), idempotency));
  return Object.freeze({
    model: styles.has('rpc') ? model : restModel,
    models: { rest: restModel, rpc: model },
    warnings: rest ? [...warnings, ...restWarnings, ...cursorWarnings(rest, restModel)] : warnings,
    limits,
    rules,
    hooks,
    ownActions,
    serverValues: compileServerValues(options.resources, model.storage),
    idempotency,
    ...(rest && { rest }),
    ...(rpc && { rpc }),
  });
}

function checkGiven(options: ResourceApiOptions | ResourceApiFactoryOptions, styles: ReadonlySet<ApiStyle>): void {
  checkAll([
    later(checkFunction, 'getClient', options.getClient),
    later(checkFunction, 'mapError', options.mapError),
    later(checkBootClient, options.bootClient),
    later(checkFunction, 'onClientBroken', options.onClientBroken),
    later(checkAccess, options.access),
    later(requireMounted, 'rest', options, styles),
    later(requireMounted, 'rpc', options, styles),
  ]);
}

function operationsOf({ mounts }: Registration): OperationsMount | undefined {
  return mounts.find(({ style }) => style === 'rest')?.operations;
}

/** As {@link rulesOf}: `resources: undefined` would open everything. */
function buildModels(options: ResourceApiOptions | ResourceApiFactoryOptions, strict: boolean): ModelsByGrants {
  requireSchema(options);
  const grants = grantNames(options.grants);
  const hidden = hidingRecords(options);
  if (!('resources' in options)) return buildGrantedModels(options.schema, { strict, ...(hidden && { resources: hidden }) });
  checkObject('resources', options.resources, 'an object of options by model');
  return buildGrantedModels(options.schema, { strict, resources: { ...options.resources, ...hidden }, grants });
}

function grantNames(grants: unknown = {}): readonly string[] {
  if (!isObject(grants)) throw mistyped('grants', grants, 'an object of functions by name');
  checkAll(Object.entries(grants).map(([name, grant]) => later(checkGrant, name, grant)));
  return Object.keys(grants);
}

function checkGrant(name: string, grant: unknown): void {
  if (typeof grant !== 'function') throw mistyped(`grants.${name}`, grant, 'a function of the request that gives true or false');
}

function requireSchema(options: { readonly schema?: unknown }): void {
  if (typeof options.schema === 'object' && options.schema !== null) return;
  throw new ConfigurationError(
    "The option 'schema' is missing.",
    "Add the generator 'nestjs-resource-api' to your Prisma schema, run 'prisma generate', and pass the 'resourceSchema' that it writes.",
  );
}

/** What a factory says of a style is of no use where its routes were not asked for. */
function requireMounted(style: ApiStyle, options: ResourceApiOptions | ResourceApiFactoryOptions, mounted: ReadonlySet<ApiStyle>): void {
  if (!isObject(options[style]) || mounted.has(style)) return;
  throw new ConfigurationError(
    `The factory gives options of ${style}, which has no routes.`,
    `Add ${style}: { prefix: … } to forRootAsync.`,
  );
}

function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw mistyped(name, value, 'a function');
}

function checkBootClient(value: unknown): void {
  if (value !== undefined && (typeof value !== 'object' || value === null)) throw mistyped('bootClient', value, 'a data client');
}

function checkAccess(value: unknown): void {
  if (value !== undefined) checkChoice('access', value, ACCESSES);
}

const OPERATIONS: ReadonlySet<string> = new Set(Object.keys(RPC_OPERATIONS));
const ACCESSES: readonly NonNullable<ResourceApiOptions['access']>[] = ['public'];
const BYTES_FORMS: readonly RpcSettings['bytes'][] = ['base64', 'typed-array'];

function rpcSettings(options: RpcOptions | Omit<RpcOptions, 'prefix'> | boolean | undefined): RpcSettings {
  const { bytes = 'base64' } = typeof options === 'object' ? options : {};
  checkChoice('rpc.bytes', bytes, BYTES_FORMS);
  return Object.freeze({ bytes });
}

function limitsOf(options: Partial<Limits> = {}): Limits {
  checkObject('limits', options, 'an object');
  // An option that is undefined is one that is left out, and must not take its default away.
  const given = Object.entries(options).filter(([, value]: readonly [string, unknown]) => value !== undefined);
  checkAll(given.map(([name, value]) => later(checkLimit, name, value)));
  return Object.freeze({ ...DEFAULT_LIMITS, ...Object.fromEntries(given) });
}

function checkLimit(name: string, value: unknown): void {
  if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
    throw new ConfigurationError(`limits names '${name}'.`, `The limits are ${Object.keys(DEFAULT_LIMITS).join(', ')}.`);
  }
  if (name === 'maxBodySize' || name === 'maxResponseSize') requireSize(name, value);
  else requireLimit(name, value);
}

function requireLimit(name: string, value: unknown): void {
  if (value === Infinity || (Number.isInteger(value) && Number(value) > 0)) return;
  throw new ConfigurationError(`limits.${name} is ${show(value)}.`, 'A limit must be a positive integer, or Infinity.');
}

/** body-parser takes a text that it cannot read for a few bytes, or for no limit at all. */
function requireSize(name: string, value: unknown): void {
  if (typeof value === 'string' && /^(?:\d+ *b?|\d+(?:\.\d+)? *[kmg]b)$/i.test(value) && Number.parseFloat(value) > 0) return;
  if (typeof value === 'number' && value > 0) return;
  throw new ConfigurationError(
    `limits.${name} is ${show(value)}.`,
    "It must be a positive number of bytes, or a text like '500kb' or '1mb'.",
  );
}

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
