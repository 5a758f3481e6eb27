import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import type { Relationship } from '../../model/surface/surface.js';
import type { Window } from '../projection/page.js';
import type { IncludeTree } from '../projection/projection.js';
import { collect } from './collect.js';
import { parseFilter } from './parse-filter.js';
import { parsePage } from './parse-page.js';
import { type FamilyParameter, parameterError } from './parse-parameters.js';
import { parseSort } from './parse-sort.js';
import type { Filter, QueryParameter, SortKey } from './resource-query.js';
import type { RestContext } from './rest-context.js';

/** The parsed filter and sort of a window, from which the planner builds the query. */
export interface RequestedWindow {
  readonly filter?: Filter;
  readonly sort: readonly SortKey[];
  /** Names of the window's filter parameter and sort parameter, for errors. */
  readonly filterParameter: string;
  readonly sortParameter: string;
}

/** The parameters of the three `include…` families, and the relationships that they may name. */
interface WindowParameters {
  readonly page: readonly FamilyParameter[];
  readonly sort: readonly FamilyParameter[];
  readonly filter: readonly FamilyParameter[];
  /** Undefined if the request has no `include`. */
  readonly include: IncludeTree | undefined;
  /** Whether the first level of `include` is the primary data, to which `page`, `sort` and `filter` apply. */
  readonly isLinkage: boolean;
  /** All parameters of the request. */
  readonly all: readonly QueryParameter[];
}

/** The windows of an include tree, by the subtree below each windowed relationship. */
type Windows = ReadonlyMap<IncludeTree, Window>;

/**
 * Parses `includePage[path][…]`, `includeSort[path]` and `includeFilter[path][…]` (PI-01). The rules of `page`, `sort` and `filter` apply,
 * for the resource at the end of the path.
 *
 * @throws ApiError with `source.parameter`
 */
export function parseWindows(given: WindowParameters, context: RestContext): Windows {
  const byPath = new Map<string, Parts>();
  const parts = (parameter: FamilyParameter): Parts => {
    const [path = ''] = parameter.selectors;
    const known = byPath.get(path);
    if (known) return known;
    const made: Parts = { place: findPlace(path, parameter, given), path, page: [], sort: [], filter: [] };
    byPath.set(path, made);
    return made;
  };
  collect(given.page, (parameter) => parts(parameter).page.push(pageParameter(parameter)));
  collect(given.sort, (parameter) => parts(parameter).sort.push({ ...parameter, selectors: parameter.selectors.slice(1) }));
  collect(given.filter, (parameter) => parts(parameter).filter.push(parameter));
  const all = [...byPath.values()];
  const windows = new Map(collect(all, (one) => [one.place.tree, windowOf(one, given, context)] as const));
  requireOneLinkage(given, all, windows);
  return windows;
}

interface Parts {
  readonly path: string;
  readonly place: IncludePlace;
  readonly page: FamilyParameter[];
  readonly sort: FamilyParameter[];
  readonly filter: FamilyParameter[];
}

interface IncludePlace {
  readonly relationship: Relationship;
  readonly tree: IncludeTree;
}

function findPlace(path: string, { name, selectors }: FamilyParameter, { include, isLinkage }: WindowParameters): IncludePlace {
  const family = name.split('[', 1)[0] ?? name;
  if (selectors.length === 0)
    throw parameterError('invalid-include', name, `${family} names no relationship: it is written ${family}[path].`);
  const place = findIncluded(path, name, include ?? new Map());
  if (!place?.relationship.many)
    throw parameterError('invalid-include', name, `${quote(path)} is to-one, which has nothing to choose from.`);
  if (!isLinkage || path.includes('.')) return place;
  throw parameterError('invalid-include', name, `${quote(path)} are the data of this URL: use page, sort and filter.`);
}

function findIncluded(path: string, name: string, include: IncludeTree): IncludePlace | undefined {
  let place: IncludePlace | undefined;
  for (const step of path.split('.')) {
    const level: IncludeTree = place?.tree ?? include;
    const [relationship, tree] = [...level].find(([{ member }]) => member === step) ?? [];
    if (!relationship || !tree) {
      const known = [...level.keys()].map(({ member }) => member);
      throw parameterError('invalid-include', name, `${quote(path)} is not in include.${didYouMean(step, known)}`);
    }
    place = { relationship, tree };
  }
  return place;
}

function pageParameter(parameter: FamilyParameter): FamilyParameter {
  const selectors = parameter.selectors.slice(1);
  const [key = ''] = selectors;
  if (selectors.length === 1 && PAGE_KEYS.includes(key)) return { ...parameter, selectors };
  const known = 'includePage[path][offset] with [limit], and includePage[path][size] with [after] and [before]';
  const detail = `There is no ${quote(parameter.name)}, only ${known}.`;
  throw parameterError('invalid-page', parameter.name, detail + didYouMean(key, PAGE_KEYS));
}

const PAGE_KEYS: readonly string[] = ['offset', 'limit', 'size', 'after', 'before'];

function windowOf({ path, place, page, sort, filter }: Parts, { all }: WindowParameters, context: RestContext): Window {
  const { target } = place.relationship;
  const meaning = parseFilter(filter, target, context, 1);
  const requested: RequestedWindow = {
    sort: parseSort(sort, target, context),
    ...(meaning && { filter: meaning }),
    filterParameter: filter.find(({ name }) => name.includes('search'))?.name ?? 'includeFilter',
    sortParameter: `includeSort[${path}]`,
  };
  return {
    requested,
    isFiltered: meaning !== undefined,
    page: page.length > 0 ? parsePage(page, target, context) : { offset: 0, limit: Infinity },
    isCounted: page.length > 0 && context.settings.count === 'exact',
    parameters: [
      ...plainParameters(path, all),
      ['include', includePaths(place).join(',')],
      ...all.filter(([name]) => name.startsWith('fields[')),
    ],
  };
}

/** Translates the parameters of a window, and of windows below it, to the URL of its relationship (PI-04). */
function plainParameters(path: string, all: readonly QueryParameter[]): readonly QueryParameter[] {
  const last = path.slice(path.lastIndexOf('.') + 1);
  return all.flatMap(([name, value]): readonly QueryParameter[] => {
    const [, family, of = '', rest = ''] = /^(includePage|includeSort|includeFilter)\[([^\]]*)\](.*)$/s.exec(name) ?? [];
    if (family === undefined) return [];
    if (of.startsWith(`${path}.`)) return [[`${family}[${last}${of.slice(path.length)}]${rest}`, value]];
    return of === path && family !== 'includePage' ? [[(family === 'includeSort' ? 'sort' : 'filter') + rest, value]] : [];
  });
}

/** Returns the include paths below a window, each starting with the relationship's name (IN-05). */
function includePaths({ relationship: { member }, tree }: IncludePlace): readonly string[] {
  const deeper = [...tree].flatMap(([relationship, below]) => includePaths({ relationship, tree: below }));
  return deeper.length > 0 ? deeper.map((path) => `${member}.${path}`) : [member];
}

/** Rejects different windows of one relationship: each resource has one linkage in a document, whichever include path reaches it (PI-06). */
function requireOneLinkage({ include }: WindowParameters, all: readonly Parts[], windows: Windows): void {
  const places = include ? placesIn(include) : [];
  collect(all, ({ path, place, page, sort, filter }) => {
    const own = serializeWindow(windows.get(place.tree));
    const other = places.find(
      ({ relationship, tree }) => relationship === place.relationship && serializeWindow(windows.get(tree)) !== own,
    );
    const [parameter] = [...page, ...sort, ...filter];
    if (!other || !parameter) return;
    const detail = `Another path of include leads to the same relationship as ${quote(path)}, which has one linkage: give both the same.`;
    throw parameterError('invalid-include', parameter.name, detail);
  });
}

function placesIn(include: IncludeTree): readonly IncludePlace[] {
  return [...include].flatMap(([relationship, tree]) => [{ relationship, tree }, ...placesIn(tree)]);
}

/** Returns a key that is equal for windows with the same result. */
function serializeWindow(window: Window | undefined): string {
  if (!window) return '';
  const { page, parameters } = window;
  const place = page.kind === 'cursor' ? [page.size, page.after?.text, page.before?.text] : [page.offset, String(page.limit)];
  return JSON.stringify([place, parameters.filter(([name]) => /^(?:filter|sort)/.test(name)).toSorted()]);
}
