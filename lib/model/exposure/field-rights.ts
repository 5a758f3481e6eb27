import { frozenSet } from '../freeze.js';
import type { Rights } from '../surface/surface.js';
import type { FieldPreset } from '../schema/resource-schema.js';
import type { FieldOption, ServerValueOption } from './resources-option.js';
import { RIGHT_NAMES } from '../surface/rights.js';

/** The rights that one source sets explicitly. Other sources determine the rest. */
export type StatedRights = Partial<Rights>;

export const OPEN: Rights = Object.freeze({ read: true, filter: true, sort: true, create: true, update: true });

export const CLOSED: Rights = Object.freeze({ read: false, filter: false, sort: false, create: false, update: false });

const PRESETS: Readonly<Record<FieldPreset, Rights>> = {
  hidden: CLOSED,
  readOnly: { ...OPEN, create: false, update: false },
  writeOnly: { ...OPEN, read: false, filter: false, sort: false },
  immutable: { ...OPEN, update: false },
};

/** Returns the rights from the field's comment in the Prisma schema. */
export function rightsOfPreset(preset: FieldPreset | undefined): Rights {
  return preset === undefined ? OPEN : PRESETS[preset];
}

/** Returns the rights that an option sets: a preset sets all rights, an object those that it names. */
export function statedRights(option: FieldOption<never> | undefined): StatedRights {
  if (option === undefined) return {};
  if (typeof option === 'string') return PRESETS[option];
  const stated = RIGHT_NAMES.flatMap((right) => {
    const value = option[right];
    return value === undefined ? [] : [[right, typeof value === 'boolean' ? value : value.length > 0 && frozenSet(value)] as const];
  });
  return { ...Object.fromEntries(stated), ...(serverValueOf(option) && SET_BY_SERVER) };
}

/** Returns the server value of a field, if the option has one. */
export function serverValueOf(option: FieldOption | undefined): ServerValueOption | undefined {
  return typeof option === 'object' ? option.value : undefined;
}

const SET_BY_SERVER: StatedRights = { create: false, update: false };

/**
 * Overrides rights by explicit ones. Because filters and sorting reveal values as reading does, denying `read` also denies `filter` and
 * `sort`, unless these are set explicitly.
 */
export function overrideRights(rights: Rights, stated: StatedRights): Rights {
  const read = stated.read ?? rights.read;
  return {
    read,
    filter: stated.filter ?? (read && rights.filter),
    sort: stated.sort ?? (read && rights.sort),
    create: stated.create ?? rights.create,
    update: stated.update ?? rights.update,
  };
}

/** Returns the rights that both allow. The allowed operators are those of the first. */
export function restrictRights(rights: Rights, by: Rights): Rights {
  return {
    read: rights.read && by.read,
    filter: by.filter !== false && rights.filter,
    sort: rights.sort && by.sort,
    create: rights.create && by.create,
    update: rights.update && by.update,
  };
}

/** Returns the rights that at least one allows, without their operators. */
export function uniteRights(all: readonly Rights[]): Rights {
  return {
    read: all.some(({ read }) => read),
    filter: all.some(({ filter }) => filter !== false),
    sort: all.some(({ sort }) => sort),
    create: all.some(({ create }) => create),
    update: all.some(({ update }) => update),
  };
}

export function isOpen(rights: Rights): boolean {
  return RIGHT_NAMES.some((name) => rights[name] !== false);
}
