import type { Action, Attribute, Rights, UniqueKey } from './surface.js';

/** The actions on a resource, in the order of reports. */
export const ACTIONS = ['read', 'create', 'update', 'delete'] as const satisfies readonly Action[];

/** The rights of a field, in the order of reports. */
export const RIGHT_NAMES = ['read', 'filter', 'sort', 'create', 'update'] as const satisfies readonly (keyof Rights)[];

/** Whether these rights allow an operator of the data client (`equals`, `contains`, …). */
export function mayFilter(rights: Rights, operator: string): boolean {
  return typeof rights.filter === 'boolean' ? rights.filter : rights.filter.has(operator);
}

/**
 * Whether a request may compare or aggregate the values of a field (`by`, `distinct`, `_count`, `_max`, …). Because that reveals as much as
 * reading, it needs the right `read`.
 */
export function mayCombine({ rights, computed }: Pick<Attribute, 'rights' | 'computed'>): boolean {
  return rights.read && computed !== true;
}

/** Whether a request may group rows by a field (`by`, `distinct`): the database must be able to compare its values for equality. */
export function mayGroup(attribute: Pick<Attribute, 'rights' | 'computed' | 'lacks'>): boolean {
  return mayCombine(attribute) && attribute.lacks?.has('equality') !== true;
}

/** Whether a key may identify records in a request: each of its fields may be filtered by `equals`. */
export function mayAddress({ fields }: UniqueKey): boolean {
  return fields.every(({ rights }) => mayFilter(rights, 'equals'));
}
