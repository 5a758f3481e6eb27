import { ACTIONS, RIGHT_NAMES } from '../surface/rights.js';
import type { Action } from '../surface/surface.js';
import { givenEntries } from '../given-entries.js';
import { isObject } from '../../utils/is-object.js';
import type { ResolvedOptions } from './exposed-model.js';
import { type Granted, grantsNamed, isGranted } from './granted.js';
import { softDeleteOf } from './soft-delete.js';
import type { FieldOption, ResourceOptions, ResourcesOption, SettledResources } from './resources-option.js';

/** The option `resources` for callers with certain grants. */
export interface ResourcesForGrants {
  readonly resources: SettledResources;
  /** The models that are hidden because the callers lack a grant. Options of relations to these models do not apply. */
  readonly withheld: ReadonlySet<string>;
}

/** Replaces each right by grants in the option `resources` by true or false. */
export function resolveGrants(resources: ResourcesOption, held: ReadonlySet<string>): ResourcesForGrants {
  const withheld = new Set<string>();
  const settled = givenEntries(resources).map(([model, options]) => {
    const own = options === 'hidden' ? options : settleModel(options, held);
    if (own === 'hidden' && options !== 'hidden') withheld.add(model);
    return [model, own] as const;
  });
  return { resources: Object.fromEntries(settled), withheld };
}

/** Returns the names of all grants in the option, without duplicates. */
export function grantsOf(resources: ResourcesOption): readonly string[] {
  const options = givenEntries(resources).flatMap(([, own]) => (isObject(own) ? [own as ResourceOptions] : []));
  const rights = options.flatMap(({ actions = {}, fields = {} }) => [
    ...Object.values<unknown>(actions),
    ...Object.values<unknown>(fields).flatMap((field) => (isObject(field) ? Object.values(field) : [])),
  ]);
  const shows = options.flatMap((own) => softDeleteOf(own)?.show ?? []);
  return [...new Set([...rights.flatMap((right) => (isGranted(right) ? grantsNamed(right) : [])), ...shows])];
}

function settleModel({ actions, fields, softDelete, ...others }: ResourceOptions, held: ReadonlySet<string>): ResolvedOptions | 'hidden' {
  const open = actions && openActions(actions, held);
  if (open?.length === 0 && namesGrant(actions)) return 'hidden';
  return {
    ...others,
    ...(open && { actions: open }),
    ...(fields && { fields: settleFields(fields, held) }),
    ...(softDelete !== undefined && { softDelete: settleSoftDelete(softDelete, held) }),
  };
}

function settleSoftDelete(
  option: NonNullable<ResourceOptions['softDelete']>,
  held: ReadonlySet<string>,
): NonNullable<ResolvedOptions['softDelete']> {
  if (typeof option === 'string') return option;
  const { show, ...others } = option;
  return { ...others, show: show !== undefined && held.has(show) };
}

function openActions(actions: NonNullable<ResourceOptions['actions']>, held: ReadonlySet<string>): readonly Action[] {
  if (isActionList(actions)) return actions;
  return ACTIONS.filter((action) => {
    const right = actions[action];
    return isGranted(right) ? isHeld(right, held) : right === true;
  });
}

function isActionList(actions: NonNullable<ResourceOptions['actions']>): actions is readonly Action[] {
  return Array.isArray(actions);
}

function namesGrant(options: object | undefined): boolean {
  return Object.values(options ?? {}).some(isGranted);
}

function settleFields(fields: NonNullable<ResourceOptions['fields']>, held: ReadonlySet<string>): NonNullable<ResolvedOptions['fields']> {
  return Object.fromEntries(givenEntries(fields).map(([name, option]) => [name, settleField(option, held)]));
}

/** Resolves the rights of a field. Where `read` needs a grant that the callers lack, rights that are not set are denied too. */
function settleField(option: FieldOption, held: ReadonlySet<string>): FieldOption<never> {
  if (typeof option === 'string') return option;
  const { name, read, value } = option;
  const unsaid = isGranted(read) && !isHeld(read, held) ? false : undefined;
  const rights = RIGHT_NAMES.flatMap((right) => {
    const given = option[right];
    const settled = isGranted(given) ? isHeld(given, held) : (given ?? unsaid);
    return settled === undefined ? [] : [[right, settled] as const];
  });
  return { ...(name !== undefined && { name }), ...(value && { value }), ...Object.fromEntries(rights) };
}

function isHeld(right: Granted, held: ReadonlySet<string>): boolean {
  return grantsNamed(right).some((name) => held.has(name));
}
