import type { ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import { further, MAX_TURNS, START_OF_ROUTE } from '../../model/surface/include-route.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import type { IncludeTree } from '../projection/projection.js';
import { collect } from './collect.js';
import { type FamilyParameter, parameterError } from './parse-parameters.js';
import type { RestContext } from './rest-context.js';
import { splitList } from './split-list.js';

/** The start of include paths: any relationship of a resource, or one only. */
interface IncludeStart {
  readonly resource: Resource;
  /** At the URL of a relationship, every path starts with its name (IN-05). */
  readonly only?: Relationship;
}

/**
 * Parses `include`: a comma-separated list of relationship paths, such as `author.profile,comments` (IN-04). Every relationship of a path
 * is included.
 *
 * @returns undefined if the parameter was not sent; an empty tree if it was sent empty (IN-02)
 * @throws ApiError `invalid-include`, `forbidden`, `limit-exceeded`
 */
export function parseInclude(
  parameters: readonly FamilyParameter[],
  start: IncludeStart,
  { limits }: RestContext,
): IncludeTree | undefined {
  const { maxIncludeDepth } = limits;
  if (parameters.length === 0) return undefined;
  const tree: MutableTree = new Map();
  collect(parameters, ({ name, selectors, value }) => {
    if (selectors.length > 0) throw parameterError('invalid-include', name, `There is no ${quote(name)}, only include.`);
    collect(splitList(value), ({ text, position }) => {
      const names = text.split('.', maxIncludeDepth + 1);
      if (names.length <= maxIncludeDepth) addPath(tree, names, start, { parameter: name, position });
      else throw tooMuch(name, `An include path has at most ${maxIncludeDepth} relationships (limits.maxIncludeDepth).`);
    });
  });
  return tree;
}

type MutableTree = Map<Relationship, MutableTree>;

/** The parameter and the position of a name in a path. */
interface PathPosition {
  readonly parameter: string;
  readonly position: number;
}

function addPath(tree: MutableTree, names: readonly string[], start: IncludeStart, { parameter, position }: PathPosition): void {
  let { resource } = start;
  let route = START_OF_ROUTE;
  let level = tree;
  let at = position;
  for (const name of names) {
    const place = { parameter, position: at };
    const relationship = findIncludable(resource, name, place);
    if (level === tree) requireStart(relationship, start, place);
    route = further(route, relationship);
    if (route.turns > MAX_TURNS) {
      const most = `An include path turns back over the relationship it came by at most ${MAX_TURNS} time`;
      throw tooMuch(parameter, `${most}; this one does again at position ${at}.`);
    }
    const next: MutableTree = level.get(relationship) ?? new Map<Relationship, MutableTree>();
    level.set(relationship, next);
    level = next;
    resource = relationship.target;
    at += name.length + 1;
  }
}

function findIncludable(resource: Resource, name: string, { parameter, position }: PathPosition): Relationship {
  const field = resource.members.get(name);
  if (field?.kind === 'relationship' && field.rights.read) return field;
  if (field?.kind === 'relationship') {
    throw parameterError('forbidden', parameter, `${quote(name)} at position ${position} cannot be read here.`);
  }
  const known = resource.relationships.filter(({ rights }) => rights.read).map(({ member }) => member);
  const problem = field
    ? `${quote(name)} at position ${position} is no relationship.`
    : `${resource.type} has no relationship ${quote(name)}, at position ${position}.`;
  throw parameterError('invalid-include', parameter, problem + didYouMean(name, known));
}

function requireStart({ member }: Relationship, { only }: IncludeStart, { parameter, position }: PathPosition): void {
  if (only === undefined || only.member === member) return;
  throw parameterError('invalid-include', parameter, `${quote(member)} at position ${position}: paths start with '${only.member}' here.`);
}

function tooMuch(parameter: string, detail: string): ApiError {
  return parameterError('limit-exceeded', parameter, detail);
}
