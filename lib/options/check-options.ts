import { checkAll } from '../errors/check-all.js';
import { type AnyTable, checkOptionNames, checkValues, ofFactory, ofRoutes } from '../model/option-table.js';
import { ASYNC, MODULE, REST, RPC } from './option-table.js';
import type { ResourceApiAsyncOptions, ResourceApiFactoryOptions, ResourceApiOptions } from './resource-api-options.js';
import { later } from '../utils/later.js';

/**
 * Checks the names of all options of `forRoot`, those of both styles among them: a mistyped one would be as good as absent. Options come from
 * plain JavaScript too. Of the values, those that decide routes are checked; the others are where they are read.
 *
 * @throws ConfigurationError naming the option and what was probably meant
 */
export function checkOptions(options: ResourceApiOptions): void {
  checkAll([
    later(checkOptionNames, 'forRoot', options, MODULE),
    later(checkValues, '', options, ofRoutes(MODULE)),
    ...checksOfStyles(options, REST, RPC),
  ]);
}

/**
 * {@link checkOptions} for what is given to `forRootAsync` itself.
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
 * {@link checkOptions} for what a factory of `forRootAsync` makes: what decides routes, guards among it, would be too late there.
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
