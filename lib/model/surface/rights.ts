import type { Action, Attribute, Rights, UniqueKey } from './surface.js';

/** What may be done with a resource, in the order of reports. */
export const ACTIONS = ['read', 'create', 'update', 'delete'] as const satisfies readonly Action[];

/** Every right of a field, in the order of reports. */
export const RIGHT_NAMES = ['read', 'filter', 'sort', 'create', 'update'] as const satisfies readonly (keyof Rights)[];

/** Whether an operator of the data client (`equals`, `contains`, …) may be used on a field with these rights. */
export function mayFilter(rights: Rights, operator: string): boolean {
  return typeof rights.filter === 'boolean' ? rights.filter : rights.filter.has(operator);
}

/** Whether the database may be asked to compare and combine its values (`by`, `distinct`, `_count`, `_max`, …), which tells as much as reading. */
export function mayCombine({ rights, computed }: Pick<Attribute, 'rights' | 'computed'>): boolean {
  return rights.read && computed !== true;
}

/** Whether rows may be grouped by its values (`by`, `distinct`): the database has to compare them for equality. */
export function mayGroup(attribute: Pick<Attribute, 'rights' | 'computed' | 'lacks'>): boolean {
  return mayCombine(attribute) && attribute.lacks?.has('equality') !== true;
}

/** Whether a key may address records: its every field may be compared for equality. */
export function mayAddress({ fields }: UniqueKey): boolean {
  return fields.every(({ rights }) => mayFilter(rights, 'equals'));
}
