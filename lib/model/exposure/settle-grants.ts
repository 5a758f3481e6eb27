import { ACTIONS, RIGHT_NAMES } from '../surface/rights.js';
import type { Action } from '../surface/surface.js';
import { givenEntries } from '../given-entries.js';
import { isObject } from '../../utils/is-object.js';
import type { SettledOptions } from './exposed-model.js';
import { type Granted, grantsNamed, isGranted } from './granted.js';
import { softDeleteOf } from './soft-delete.js';
import type { FieldOption, ResourceOptions, ResourcesOption, SettledResources } from './resources-option.js';

/** The option `resources` for callers who hold certain grants. */
export interface ResourcesForGrants {
  readonly resources: SettledResources;
  /** The models that are hidden for want of a grant. What options say of relations to them counts for those who hold it. */
  readonly withheld: ReadonlySet<string>;
}

/** Puts open and closed where the option `resources` names grants. */
export function settleGrants(resources: ResourcesOption, held: ReadonlySet<string>): ResourcesForGrants {
  const withheld = new Set<string>();
  const settled = givenEntries(resources).map(([model, options]) => {
    const own = options === 'hidden' ? options : settleModel(options, held);
    if (own === 'hidden' && options !== 'hidden') withheld.add(model);
    return [model, own] as const;
  });
  return { resources: Object.fromEntries(settled), withheld };
}

/** All grants that the option names, each once, in its order. */
export function grantsOf(resources: ResourcesOption): readonly string[] {
  const options = givenEntries(resources).flatMap(([, own]) => (isObject(own) ? [own as ResourceOptions] : []));
  const rights = options.flatMap(({ actions = {}, fields = {} }) => [
    ...Object.values<unknown>(actions),
    ...Object.values<unknown>(fields).flatMap((field) => (isObject(field) ? Object.values(field) : [])),
  ]);
  const shows = options.flatMap((own) => softDeleteOf(own)?.show ?? []);
  return [...new Set([...rights.flatMap((right) => (isGranted(right) ? grantsNamed(right) : [])), ...shows])];
}

function settleModel({ actions, fields, softDelete, ...others }: ResourceOptions, held: ReadonlySet<string>): SettledOptions | 'hidden' {
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
): NonNullable<SettledOptions['softDelete']> {
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

function settleFields(fields: NonNullable<ResourceOptions['fields']>, held: ReadonlySet<string>): NonNullable<SettledOptions['fields']> {
  return Object.fromEntries(givenEntries(fields).map(([name, option]) => [name, settleField(option, held)]));
}

/** What is said of no right of a field follows reading it, where that takes a grant. */
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
