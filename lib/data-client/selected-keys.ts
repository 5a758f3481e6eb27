type Row = Readonly<Record<string, unknown>>;

/** The part of a call's arguments that decides which fields its rows have. */
export interface Selection {
  readonly select?: unknown;
  readonly include?: unknown;
  readonly omit?: unknown;
}

const SELECTION: ReadonlySet<string> = new Set(['select', 'include', 'omit']);

/** The part of the arguments that selects fields. */
export function selectionOf(args: Row): Selection {
  return Object.fromEntries(Object.entries(args).filter(([name]) => SELECTION.has(name)));
}

/** The arguments without the selection. */
export function withoutSelection(args: Row): Row {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !SELECTION.has(name)));
}

/** Those of the fields that a selection does not contain. */
export function unaskedOf({ select, omit }: Selection, fields: readonly string[]): readonly string[] {
  return fields.filter((name) => (select === undefined ? (omit as Row | undefined)?.[name] === true : (select as Row)[name] !== true));
}

/** The selection, with further fields. */
export function withFields({ select, omit, ...others }: Selection, unasked: readonly string[]): Selection {
  const names = Object.fromEntries(unasked.map((name) => [name, true]));
  if (select !== undefined) return { ...others, select: { ...select, ...names } };
  return { ...others, ...(omit !== undefined && { omit: withoutFields(omit as Row, unasked) }) };
}

export function withoutFields(row: Row, names: readonly string[]): Row {
  return names.length === 0 ? row : Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}
