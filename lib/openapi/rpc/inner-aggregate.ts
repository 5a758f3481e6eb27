import type { Attribute } from '../../model/surface/surface.js';
import { AGGREGATE, isComputable } from '../../prisma/aggregates.js';

export type AggregateName = keyof typeof AGGREGATE;

/** By aggregate function, another one whose fields it usually accepts, too. */
const INNER: Readonly<Partial<Record<AggregateName, AggregateName>>> = { _count: '_max', _min: '_sum', _max: '_sum' };

/** Returns the fields that an aggregate function accepts. */
export function computableFields(name: AggregateName, fields: readonly Attribute[]): readonly Attribute[] {
  return fields.filter((field) => isComputable(AGGREGATE[name], field));
}

/** Returns an aggregate function with some of the fields of another one and no others. Its schema can be extended to all of them. */
export function innerAggregate(name: AggregateName, fields: readonly Attribute[]): AggregateName | undefined {
  const inner = INNER[name];
  if (inner === undefined) return undefined;
  const shared = computableFields(inner, fields);
  return shared.length > 0 && shared.every((field) => isComputable(AGGREGATE[name], field)) ? inner : undefined;
}
