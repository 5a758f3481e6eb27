import { checkAll } from '../errors/check-all.js';
import { type AnyTable, checkOptionNames, checkValues, ofFactory, ofRoutes } from '../model/option-table.js';
import { ASYNC, MCP, MODULE, REST, RPC } from './option-table.js';
import type { ResourceApiAsyncOptions, ResourceApiFactoryOptions, ResourceApiOptions } from './resource-api-options.js';
import type { ApiStyle } from './api-style.js';
import { later } from '../utils/later.js';

/**
 * Checks the names of all options of `forRoot`, `rest`, `rpc` and `mcp`, because a mistyped option would silently have no effect in plain
 * JavaScript. Checks the values of options that decide routes. The rooms that read the other options check their values.
 *
 * @throws ConfigurationError naming the option, and suggesting the name that was probably meant
 */
export function checkOptions(options: ResourceApiOptions): void {
  checkAll([
    later(checkOptionNames, 'forRoot', options, MODULE),
    later(checkValues, '', options, ofRoutes(MODULE)),
    ...checksOfStyles(options, { rest: REST, rpc: RPC, mcp: MCP }),
  ]);
}

/**
 * Checks the names of the options that are passed to `forRootAsync` itself, and the values of those that decide routes. See {@link checkOptions}.
 *
 * @throws ConfigurationError
 */
export function checkAsyncOptions(options: ResourceApiAsyncOptions): void {
  checkAll([
    later(checkOptionNames, 'forRootAsync', options, { ...ofRoutes(MODULE), ...ASYNC }),
    later(checkValues, '', options, ofRoutes(MODULE)),
    ...checksOfStyles(options, { rest: ofRoutes(REST), rpc: ofRoutes(RPC), mcp: ofRoutes(MCP) }),
  ]);
}

/**
 * Checks the names of the options that a factory of `forRootAsync` returns. See {@link checkOptions}. Rejects options that decide routes,
 * such as guards, because the routes are registered before the factory runs.
 *
 * @throws ConfigurationError
 */
export function checkFactoryOptions(options: ResourceApiFactoryOptions): void {
  checkAll([
    later(checkOptionNames, 'The factory of forRootAsync', options, ofFactory(MODULE)),
    ...checksOfStyles(options, { rest: ofFactory(REST), rpc: ofFactory(RPC), mcp: ofFactory(MCP) }),
  ]);
}

function checksOfStyles(
  options: Readonly<Partial<Record<ApiStyle, object | boolean | undefined>>>,
  tables: Readonly<Record<ApiStyle, AnyTable>>,
): readonly (() => void)[] {
  return STYLE_NAMES.flatMap((style) => {
    const given = options[style];
    return given === undefined || (style === 'rpc' && typeof given === 'boolean') ? [] : [later(checkStyle, style, given, tables[style])];
  });
}

const STYLE_NAMES: readonly ApiStyle[] = ['rest', 'rpc', 'mcp'];

function checkStyle(style: ApiStyle, options: object | boolean, table: AnyTable): void {
  checkOptionNames(style, options, table);
  checkValues(style, typeof options === 'object' ? options : {}, ofRoutes(table));
}
