import { withFields } from '../../query/fields.js';
import type { Row } from '../../query/result.js';
import { nameOf, type Selection } from '../../query/selection.js';

/** A selection with the fields of a key, and a function that removes the added fields from its rows. */
export interface Keyed {
  readonly selection: Selection;
  readonly withoutKey: (row: Row) => Row;
}

/** Adds the fields to a selection that it lacks. */
export function selectKeys(selection: Selection, names: readonly string[]): Keyed {
  const keyed = withFields(selection, names);
  if (keyed === selection) return { selection, withoutKey: (row) => row };
  const unasked = keyed.members.slice(selection.members.length).map(nameOf);
  return {
    selection: keyed,
    withoutKey: (row) => Object.fromEntries(Object.entries(row).filter(([name]) => !unasked.includes(name))),
  };
}
