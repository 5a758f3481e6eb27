import { ConfigurationError } from '../../errors/configuration-error.js';
import { delegateOf } from '../schema/delegate-of.js';
import { computedNames } from './computed-fields.js';
import type { Exposure } from './exposure.js';
import { ownOption } from './own-option.js';

/** How ambiguous names are reported: as warnings by default, as errors in strict mode. */
export interface NameCheck {
  readonly strict: boolean;
  readonly warnings: string[];
}

/** Returns the JSON:API type of a model: the option `type`, or the delegate's name. */
export function typeOf({ model, options }: Exposure, check: NameCheck): string {
  const { type } = options;
  if (type === undefined) {
    const name = delegateOf(model);
    if (!isMemberName(name)) doubt(check, `'${name}', the type of '${model}', is no legal JSON:API type.`, `Set resources.${model}.type.`);
    return name;
  }
  if (isMemberName(type)) return type;
  throw new ConfigurationError(`resources.${model}.type is '${type}', which is no legal JSON:API type.`, LEGAL_NAME);
}

/**
 * Returns the JSON:API member names of the exposed fields, by Prisma's names.
 *
 * @throws ConfigurationError for two fields with the same name, an invalid option `name`, or a relation named `relationships`
 */
export function membersOf(exposure: Exposure, identifier: readonly string[], check: NameCheck): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const taken = new Map<string, string>();
  for (const field of [...exposure.rights.keys(), ...computedNames(exposure)]) {
    const member = nameMember(exposure, field, check);
    const other = taken.get(member);
    if (other !== undefined) throw memberClash(exposure.model, member, [other, field]);
    checkReserved(exposure, { field, member, identifier }, check);
    taken.set(member, field);
    members.set(field, member);
  }
  return members;
}

function nameMember({ model, options }: Exposure, field: string, check: NameCheck): string {
  const option = ownOption(options.fields, field);
  const name = typeof option === 'object' ? option.name : undefined;
  if (name === undefined) {
    if (!isMemberName(field)) doubt(check, `'${model}.${field}' is no legal JSON:API member name.`, rename(model, field));
    return field;
  }
  if (isMemberName(name) && name !== 'type' && name !== 'id') return name;
  throw new ConfigurationError(
    `resources.${model}.fields.${field}.name is '${name}', which is no legal JSON:API member name.`,
    `${LEGAL_NAME} 'type' and 'id' are reserved.`,
  );
}

interface Named {
  readonly field: string;
  readonly member: string;
  readonly identifier: readonly string[];
}

function checkReserved({ model, schema }: Exposure, { field, member, identifier }: Named, check: NameCheck): void {
  if (member === 'relationships' && schema.fields[field]?.kind === 'relation') {
    throw new ConfigurationError(
      `The relation '${model}.${field}' is called 'relationships', which is a part of every relationship's URL.`,
      rename(model, field),
    );
  }
  if (member === 'type') doubt(check, `'${model}.${field}' is called 'type', as the JSON:API type is.`, rename(model, field));
  const isId = identifier.length === 1 && identifier[0] === field;
  if (member === 'id' && !isId) doubt(check, `'${model}.${field}' is called 'id' and is not the JSON:API id.`, rename(model, field));
}

function memberClash(model: string, member: string, fields: readonly string[]): ConfigurationError {
  const names = fields.map((field) => `'${field}'`).join(' and ');
  return new ConfigurationError(
    `The fields ${names} of '${model}' are both called '${member}'.`,
    `Set another name in resources.${model}.fields.`,
  );
}

/**
 * Rejects resources with the same type or the same delegate, because paths are matched case-insensitively.
 *
 * @throws ConfigurationError
 */
export function checkClashes(resources: readonly { readonly model: string; readonly type: string; readonly delegate: string }[]): void {
  const types = new Map<string, string>();
  const delegates = new Map<string, string>();
  for (const { model, type, delegate } of resources) {
    const sameType = types.get(type.toLowerCase());
    if (sameType !== undefined) throw typeClash([sameType, model], type);
    const sameDelegate = delegates.get(delegate.toLowerCase());
    if (sameDelegate !== undefined) throw delegateClash([sameDelegate, model]);
    types.set(type.toLowerCase(), model);
    delegates.set(delegate.toLowerCase(), model);
  }
}

function typeClash([first, second]: readonly [string, string], type: string): ConfigurationError {
  return new ConfigurationError(
    `The models '${first}' and '${second}' meet in the JSON:API type '${type}', which is matched without regard to case.`,
    `Set another name in resources.${second}.type.`,
  );
}

function delegateClash([first, second]: readonly [string, string]): ConfigurationError {
  return new ConfigurationError(
    `The models '${first}' and '${second}' differ in case only, and RPC paths are matched without regard to case.`,
    `Set resources.${second} to 'hidden', or rename the model in the Prisma schema and keep its table with @@map.`,
  );
}

/** JSON:API 1.1, "Member Names": letters, digits and non-ASCII characters; between them also `-`, `_` and space. */
const MEMBER_NAME = /^[a-z\d\u{80}-\u{10ffff}](?:[-_ a-z\d\u{80}-\u{10ffff}]*[a-z\d\u{80}-\u{10ffff}])?$/iu;

function isMemberName(name: string): boolean {
  return MEMBER_NAME.test(name);
}

const LEGAL_NAME = "Use letters and digits, and '-' or '_' between them.";

function rename(model: string, field: string): string {
  return `Set resources.${model}.fields.${field} to { name: '…' } or 'hidden'.`;
}

function doubt({ strict, warnings }: NameCheck, problem: string, remedy: string): void {
  if (strict) throw new ConfigurationError(problem, remedy);
  warnings.push(`${problem} ${remedy}`);
}
