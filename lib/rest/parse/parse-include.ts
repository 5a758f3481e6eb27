import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import { further, type IncludeRoute, MAX_TURNS, START_OF_ROUTE } from '../../model/surface/include-route.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import type { IncludeTree } from '../projection/projection.js';
import { collect } from './collect.js';
import { parameterError } from './parameter-error.js';
import type { FamilyParameter } from './parse-parameters.js';
import type { RestContext } from './rest-context.js';
import { type ListItem, splitList } from './split-list.js';

/** Where include paths start: at any relationship of a resource, or at one only. */
export interface IncludeStart {
  readonly resource: Resource;
  /** At a relationship's own URL every path starts with its name (IN-05). */
  readonly only?: Relationship;
}

/**
 * Reads `include`: a comma list of paths of relationships, `author.profile,comments` (IN-04). Every relationship of a path is included.
 *
 * @returns undefined where the parameter was not sent; an empty tree where it was sent empty (IN-02)
 * @throws ApiError `invalid-include`, `forbidden`, `limit-exceeded`
 */
export function parseInclude(parameters: readonly FamilyParameter[], start: IncludeStart, context: RestContext): IncludeTree | undefined {
  if (parameters.length === 0) return undefined;
  const tree: MutableTree = new Map();
  collect(parameters, (parameter) => {
    requireNoSelectors(parameter);
    collect(splitList(parameter.value), (item) => {
      addPath(tree, { start, parameter, item, maxDepth: context.limits.maxIncludeDepth });
    });
  });
  return tree;
}

type MutableTree = Map<Relationship, MutableTree>;

interface IncludePath {
  readonly start: IncludeStart;
  readonly parameter: FamilyParameter;
  readonly item: ListItem;
  readonly maxDepth: number;
}

function requireNoSelectors({ name, selectors }: FamilyParameter): void {
  if (selectors.length > 0) throw parameterError('invalid-include', name, `There is no ${quote(name)}, only include.`);
}

function addPath(tree: MutableTree, { start, parameter, item, maxDepth }: IncludePath): void {
  const names = item.text.split('.', maxDepth + 1);
  if (names.length > maxDepth) {
    throw parameterError(
      'limit-exceeded',
      parameter.name,
      `An include path has at most ${maxDepth} relationships (limits.maxIncludeDepth).`,
    );
  }
  let { resource } = start;
  let route = START_OF_ROUTE;
  let level: MutableTree = tree;
  let { position } = item;
  for (const name of names) {
    const relationship = findIncludable(resource, name, { parameter, position });
    if (level === tree) requireStart(relationship, start, { parameter, position });
    route = further(route, relationship);
    requireFewTurns(route, { parameter, position });
    const next = level.get(relationship) ?? new Map<Relationship, MutableTree>();
    level.set(relationship, next);
    level = next;
    resource = relationship.target;
    position += name.length + 1;
  }
}

interface Place {
  readonly parameter: FamilyParameter;
  readonly position: number;
}

function findIncludable(resource: Resource, name: string, { parameter, position }: Place): Relationship {
  const field = resource.members.get(name);
  if (field?.kind === 'relationship' && field.rights.read) return field;
  if (field?.kind === 'relationship') {
    throw parameterError('forbidden', parameter.name, `${quote(name)} at position ${position} cannot be read here.`);
  }
  const known = resource.relationships.filter(({ rights }) => rights.read).map(({ member }) => member);
  const problem = field
    ? `${quote(name)} at position ${position} is no relationship.`
    : `${resource.type} has no relationship ${quote(name)}, at position ${position}.`;
  throw parameterError('invalid-include', parameter.name, problem + didYouMean(name, known));
}

function requireFewTurns({ turns }: IncludeRoute, { parameter, position }: Place): void {
  if (turns <= MAX_TURNS) return;
  throw parameterError(
    'limit-exceeded',
    parameter.name,
    `An include path turns back over the relationship it came by at most ${MAX_TURNS} time; this one does again at position ${position}.`,
  );
}

function requireStart({ member }: Relationship, { only }: IncludeStart, { parameter, position }: Place): void {
  if (only === undefined || only.member === member) return;
  throw parameterError(
    'invalid-include',
    parameter.name,
    `${quote(member)} at position ${position}: paths start with '${only.member}' here.`,
  );
}
