import { checkAll } from '../errors/check-all.js';
import { type AnyTable, checkOptionNames, checkValues, ofFactory, ofRoutes } from '../model/option-table.js';
import { ASYNC, MODULE, REST, RPC } from './option-table.js';
import type { ResourceApiAsyncOptions, ResourceApiFactoryOptions, ResourceApiOptions } from './resource-api-options.js';
import { later } from '../utils/later.js';

/**
 * Checks the names of all options of `forRoot`, `rest` and `rpc`, because a mistyped option would silently have no effect in plain
 * JavaScript. Checks the values of options that decide routes. The rooms that read the other options check their values.
 *
 * @throws ConfigurationError naming the option, and suggesting the name that was probably meant
 */
export function checkOptions(options: ResourceApiOptions): void {
  checkAll([
    later(checkOptionNames, 'forRoot', options, MODULE),
    later(checkValues, '', options, ofRoutes(MODULE)),
    ...checksOfStyles(options, REST, RPC),
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
    ...checksOfStyles(options, ofRoutes(REST), ofRoutes(RPC)),
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
    ...checksOfStyles(options, ofFactory(REST), ofFactory(RPC)),
  ]);
}

function checksOfStyles(
  { rest, rpc }: { readonly rest?: object | undefined; readonly rpc?: object | boolean | undefined },
  ofRest: AnyTable,
  ofRpc: AnyTable,
): readonly (() => void)[] {
  const checks: (() => void)[] = [];
  if (rest !== undefined) checks.push(later(checkStyle, 'rest', rest, ofRest));
  if (rpc !== undefined && typeof rpc !== 'boolean') checks.push(later(checkStyle, 'rpc', rpc, ofRpc));
  return checks;
}

function checkStyle(style: 'rest' | 'rpc', options: object, table: AnyTable): void {
  checkOptionNames(style, options, table);
  checkValues(style, options, ofRoutes(table));
}
