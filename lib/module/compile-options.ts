import type { ApplicationActions } from '../actions/action.js';
import { compileActions, restoreActions, withActions } from '../actions/compile-actions.js';
import { compileIdempotency, hidingRecords, withIdempotency } from '../idempotency/compile-idempotency.js';
import { buildGrantedModels, type ModelsByGrants } from '../model/granted-models.js';
import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { ConfigurationProblems } from '../errors/configuration-problems.js';
import { checkObject, mistyped } from '../model/check-option.js';
import { DEFAULT_LIMITS, type Limits, limitsOf } from '../model/limits.js';
import { checkValues, fillOptions, ofFactory } from '../model/option-table.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApplicationHooks } from '../hooks/application-hooks.js';
import { type FoundCode, NOTHING_FOUND, rowStage, withRows } from './row-stage.js';
import { cursorWarnings, requireSupported } from './require-supported.js';
import { compileRestSettings } from '../options/compile-rest-settings.js';
import type { ApiStyle } from '../options/api-style.js';
import type { Registration } from '../options/registration.js';
import { type OperationsMount, requireFreePath } from '../options/operations-mount.js';
import { MCP, MODULE, RPC } from '../options/option-table.js';
import type { ResourceApiFactoryOptions, ResourceApiOptions, RpcOptions } from '../options/resource-api-options.js';
import type { RestSettings } from '../options/rest-settings.js';
import type { McpOptions } from '../options/mcp-options.js';
import type { McpSettings } from '../options/mcp-settings.js';
import type { RpcSettings } from '../options/rpc-settings.js';
import { RPC_OPERATIONS } from '../rpc/protocol/rpc-operations.js';
import type { RowRules } from '../rules/row-rules.js';
import { compileServerValues, type ServerValues } from '../run/stages/server-values/compile-server-values.js';
import { isObject } from '../utils/is-object.js';
import { later } from '../utils/later.js';

/** The checked options with defaults filled in. Services read options only from here. */
export interface CompiledOptions {
  /** The model of the styles that are on. */
  readonly model: ResourceModel;
  /** The model of each style. REST leaves out models without an id. */
  readonly models: Readonly<Record<ApiStyle, ResourceModel>>;
  /** Warnings for the boot log. */
  readonly warnings: readonly string[];
  readonly limits: Limits;
  /** Absent where the style is off. */
  readonly rest?: RestSettings;
  /** Absent where the style is off. */
  readonly rpc?: RpcSettings;
  /** Absent where the style is off. */
  readonly mcp?: McpSettings;
  /** Null if the application has neither rules nor hooks, and no model has soft delete. */
  readonly rules: RowRules | null;
  /** Null if the application has no hooks. */
  readonly hooks: ApplicationHooks | null;
  /** The methods of the application with `@ResourceAction`. */
  readonly ownActions: ApplicationActions;
  /** Null if no field has a server value. */
  readonly serverValues: ServerValues | null;
  /** Null without the option `idempotency`. */
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
  const settings = settingsOf(options, { registration, styles, limits, problems });
  const { rest, mcp } = settings;
  const built = problems.collect(() => modelsOf(options, rest));
  problems.collect(later(requireSupported, rest, built));
  const { rules, hooks } = rowStage(options, built, { limits, found, problems });
  problems.throwAny();
  // A missing schema has been reported by `throwAny`, so `built` is only undefined for the type checker.
  const { warnings, restWarnings, widest, served } = built ?? buildModels(options, undefined);
  requireFreePath(rest, widest.restModel);
  const ownActions = compileActions([...found.actions, ...restoreActions(rules)], widest.model, OPERATIONS);
  const idempotency = compileIdempotency(options, withActions(widest.model, ownActions));
  const { model, restModel } = served((of) => withIdempotency(withActions(withRows(of, rules), ownActions), idempotency));
  return Object.freeze({
    model: styles.has('rpc') || mcp ? model : restModel,
    models: { rest: restModel, rpc: model, mcp: model },
    warnings: rest ? [...warnings, ...restWarnings, ...cursorWarnings(rest, restModel)] : warnings,
    limits,
    rules,
    hooks,
    ownActions,
    serverValues: compileServerValues(options.resources, model.storage),
    idempotency,
    ...settings,
  });
}

interface StyleChecks {
  readonly registration: Registration;
  readonly styles: ReadonlySet<ApiStyle>;
  readonly limits: Limits;
  readonly problems: ConfigurationProblems;
}

/** Compiles the options of the styles that are on. */
function settingsOf(
  options: ResourceApiOptions | ResourceApiFactoryOptions,
  { registration, styles, limits, problems }: StyleChecks,
): Pick<CompiledOptions, ApiStyle> {
  const collect = <Settings>(style: ApiStyle, compile: () => Settings): Settings | undefined =>
    styles.has(style) ? problems.collect(compile) : undefined;
  const rest = collect('rest', () => compileRestSettings(options.rest, limits, operationsOf(registration)));
  const rpc = collect('rpc', () => rpcSettings(options.rpc));
  const mcp = collect('mcp', () => mcpSettings(options.mcp));
  return { ...(rest && { rest }), ...(rpc && { rpc }), ...(mcp && { mcp }) };
}

function checkGiven(options: ResourceApiOptions | ResourceApiFactoryOptions, styles: ReadonlySet<ApiStyle>): void {
  checkAll([
    later(checkValues, '', options, ofFactory(MODULE)),
    later(requireMounted, 'rest', options, styles),
    later(requireMounted, 'rpc', options, styles),
    later(requireMounted, 'mcp', options, styles),
  ]);
}

function operationsOf({ mounts }: Registration): OperationsMount | undefined {
  return mounts.find(({ style }) => style === 'rest')?.operations;
}

/** Builds the models. Returns undefined if the schema is missing, which {@link checkGiven} reports. */
function modelsOf(options: ResourceApiOptions | ResourceApiFactoryOptions, rest: RestSettings | undefined): ModelsByGrants | undefined {
  return isObject(options.schema) ? buildModels(options, rest) : undefined;
}

/** Builds the models. `resources: undefined` is rejected, because it would expose everything and is most likely a mistake. */
function buildModels(options: ResourceApiOptions | ResourceApiFactoryOptions, rest: RestSettings | undefined): ModelsByGrants {
  const grants = grantNames(options.grants);
  const hidden = hidingRecords(options);
  const ofRest = { strict: rest?.strict ?? false, ...(rest && { idDivider: rest.idDivider }) };
  if (!('resources' in options)) return buildGrantedModels(options.schema, { ...ofRest, ...(hidden && { resources: hidden }) });
  checkObject('resources', options.resources, 'an object of options by model');
  return buildGrantedModels(options.schema, { ...ofRest, resources: { ...options.resources, ...hidden }, grants });
}

function grantNames(grants: unknown = {}): readonly string[] {
  if (!isObject(grants)) throw mistyped('grants', grants, 'an object of functions by name');
  checkAll(Object.entries(grants).map(([name, grant]) => later(checkGrant, name, grant)));
  return Object.keys(grants);
}

function checkGrant(name: string, grant: unknown): void {
  if (typeof grant !== 'function') throw mistyped(`grants.${name}`, grant, 'a function of the request that gives true or false');
}

/** Rejects options of a style that the factory returns although `forRootAsync` has not mounted it. */
function requireMounted(style: ApiStyle, options: ResourceApiOptions | ResourceApiFactoryOptions, mounted: ReadonlySet<ApiStyle>): void {
  if (!isObject(options[style]) || mounted.has(style)) return;
  throw new ConfigurationError(
    `The factory gives options of ${style}, which has no routes.`,
    `Add ${style}: { prefix: … } to forRootAsync.`,
  );
}

const OPERATIONS: ReadonlySet<string> = new Set(Object.keys(RPC_OPERATIONS));

function rpcSettings(options: RpcOptions | Omit<RpcOptions, 'prefix'> | boolean | undefined): RpcSettings {
  const given = typeof options === 'object' ? options : {};
  checkValues('rpc', given, ofFactory(RPC));
  const { bytes, describe } = fillOptions(given, RPC, undefined);
  return Object.freeze({ bytes, describe });
}

function mcpSettings(given: McpOptions | Omit<McpOptions, 'prefix'> = {}): McpSettings {
  checkValues('mcp', given, ofFactory(MCP));
  const { writes, allowedOrigins, maxResultBytes, resourceMetadata } = fillOptions<McpOptions, undefined, typeof MCP>(
    given,
    MCP,
    undefined,
  );
  return Object.freeze({
    writes,
    allowedOrigins: allowedOrigins ?? [],
    maxResultBytes,
    ...(resourceMetadata && { resourceMetadata }),
  });
}
