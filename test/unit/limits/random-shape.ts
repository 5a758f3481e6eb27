import fc from 'fast-check';
import type { Attribute, Relationship, Resource } from '../../../lib/model/surface/surface.js';

/** One part of a request, not yet in a style. Any numbers make a valid one. */
export interface Gene {
  readonly kind: 'filter' | 'alternative' | 'order' | 'include' | 'count';
  /** The index of the relation of each hop, modulo their number. */
  readonly turns: readonly number[];
  readonly leaf: 'contains' | 'in' | 'search' | 'empty';
  readonly size: number;
  readonly quantifier: 'some' | 'every' | 'none';
}

export const gene: fc.Arbitrary<Gene> = fc.record({
  kind: fc.constantFrom<Gene['kind']>('filter', 'filter', 'alternative', 'order', 'include', 'count'),
  turns: fc.array(fc.nat(30), { maxLength: 6 }),
  leaf: fc.constantFrom<Gene['leaf']>('contains', 'in', 'search', 'empty'),
  size: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 95 })),
  quantifier: fc.constantFrom<Gene['quantifier']>('some', 'every', 'none'),
});

/** Returns the arguments of an RPC `findMany` with all of these parts. */
export function rpcArguments(resource: Resource, genes: readonly Gene[]): Record<string, unknown> {
  const of = (...kinds: readonly Gene['kind'][]): readonly Gene[] => genes.filter(({ kind }) => kinds.includes(kind));
  const include: Tree = {};
  for (const { turns } of of('include')) grow(include, pathOf(resource, turns, 'read'));
  const counts = of('count').map((one) => countOf(resource, one));
  const selected = { ...include, ...(counts.length > 0 && { _count: { select: Object.assign({}, ...counts) as object } }) };
  return {
    where: {
      AND: of('filter').map((one) => whereOf(resource, one)),
      ...alternatives(of('alternative').map((one) => whereOf(resource, one))),
    },
    orderBy: of('order').map((one) => orderOf(resource, one)),
    ...(Object.keys(selected).length > 0 && { include: selected }),
  };
}

/** Returns the query string of a REST `GET /:type` with those of the parts that REST has. */
export function restQuery(resource: Resource, genes: readonly Gene[]): string {
  return genes.flatMap((one, index) => parameterOf(resource, one, index)).join('&');
}

type Tree = Record<string, unknown>;

function grow(tree: Tree, [first, ...others]: readonly Relationship[]): void {
  if (!first) return;
  const below = (tree[first.name] as { include?: Tree } | true | undefined) ?? true;
  if (others.length === 0) tree[first.name] = below;
  else {
    const include = below === true ? {} : (below.include ?? {});
    grow(include, others);
    tree[first.name] = { include };
  }
}

const alternatives = (members: readonly object[]): object => (members.length > 0 ? { OR: members } : {});

function pathOf(resource: Resource, turns: readonly number[], right: 'read' | 'filter'): readonly Relationship[] {
  const path: Relationship[] = [];
  for (const turn of turns) {
    const open = (path.at(-1)?.target ?? resource).relationships.filter(({ rights }) => rights[right]);
    const next = open[turn % Math.max(1, open.length)];
    if (!next) break;
    path.push(next);
  }
  return path;
}

const endOf = (resource: Resource, path: readonly Relationship[]): Resource => path.at(-1)?.target ?? resource;

function whereOf(resource: Resource, one: Gene): object {
  const path = pathOf(resource, one.turns, 'filter');
  return path.reduceRight<object>(
    (where, { name, many }) => ({ [name]: many ? { [one.quantifier]: where } : where }),
    conditionOf(endOf(resource, path), one),
  );
}

function conditionOf(resource: Resource, { leaf, size }: Gene): object {
  const text = textOf(resource, size);
  if (!text || leaf === 'empty') return {};
  return { [text.name]: { [leaf]: leaf === 'in' ? words(size) : leaf === 'search' ? words(size).join(' | ') : 'a' } };
}

function textOf({ attributes }: Resource, turn: number): Attribute | undefined {
  const texts = attributes.filter(({ type, list, rights, nativeType }) => type === 'String' && !list && rights.filter && !nativeType);
  return texts[turn % Math.max(1, texts.length)];
}

const words = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `w${index}`);

function countOf(resource: Resource, one: Gene): object {
  const lists = resource.relationships.filter(({ many, rights }) => many && rights.read);
  const list = lists[(one.turns[0] ?? 0) % Math.max(1, lists.length)];
  if (!list) return {};
  return { [list.name]: { where: whereOf(list.target, { ...one, turns: one.turns.slice(1) }) } };
}

function orderOf(resource: Resource, { turns, size }: Gene): object {
  const path = orderPath(resource, turns);
  const key = path.at(-1)?.many ? { _count: 'asc' } : { [textOf(endOf(resource, path), size)?.name ?? 'id']: 'asc' };
  return path.reduceRight<object>((order, { name }) => ({ [name]: order }), key);
}

/** Up to the first list: only its length orders. */
function orderPath(resource: Resource, turns: readonly number[]): readonly Relationship[] {
  const path = pathOf(resource, turns, 'filter');
  const list = path.findIndex(({ many }) => many);
  return list === -1 ? path : path.slice(0, list + 1);
}

function parameterOf(resource: Resource, one: Gene, index: number): readonly string[] {
  if (one.kind === 'count') return [];
  if (one.kind === 'include') return includeOf(pathOf(resource, one.turns, 'read'));
  if (one.kind === 'order') return [`sort=${sortOf(resource, one)}`];
  const group = one.kind === 'alternative' ? `[or][${index}]` : '';
  return [`filter${group}${filterOf(resource, one)}`];
}

const includeOf = (path: readonly Relationship[]): readonly string[] =>
  path.length > 0 ? [`include=${path.map(({ member }) => member).join('.')}`] : [];

function sortOf(resource: Resource, { turns, size }: Gene): string {
  const path = orderPath(resource, turns);
  const key = path.at(-1)?.many ? '$count' : (textOf(endOf(resource, path), size)?.member ?? 'id');
  return [...path.map(({ member }) => member), key].join('.');
}

function filterOf(resource: Resource, { turns, leaf, size }: Gene): string {
  const path = pathOf(resource, turns, 'filter');
  const hops = path.map(({ member }) => `[${member}]`).join('');
  const text = textOf(endOf(resource, path), size);
  if (!text || leaf === 'empty') return `${hops}[id]=1`;
  if (leaf === 'in') return `${hops}[${text.member}]=${words(size).join(',')}`;
  return `${hops}[${text.member}$${leaf}]=${leaf === 'search' ? encodeURIComponent(words(size).join(' | ')) : 'a'}`;
}
