import { withFields } from '../query/fields.js';
import type { Row } from '../query/result.js';
import { nameOf, type Selection } from '../query/selection.js';

/** A selection that has the fields of a key, and how its rows are made those of the selection that it was made of. */
export interface Keyed {
  readonly selection: Selection;
  readonly withoutKey: (row: Row) => Row;
}

/** Adds fields to a selection, where it lacks them. */
export function selectKeys(selection: Selection, names: readonly string[]): Keyed {
  const keyed = withFields(selection, names);
  if (keyed === selection) return { selection, withoutKey: (row) => row };
  const unasked = keyed.members.slice(selection.members.length).map(nameOf);
  return {
    selection: keyed,
    withoutKey: (row) => Object.fromEntries(Object.entries(row).filter(([name]) => !unasked.includes(name))),
  };
}
