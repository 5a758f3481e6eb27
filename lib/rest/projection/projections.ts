import type { Attribute, Field, Relationship, Resource, UniqueKey } from '../../model/surface/surface.js';
import { SecondChanceCache } from '../../utils/second-chance-cache.js';
import { isReservedKey } from '../../wire/path.js';
import { SCALAR_TEXTS } from '../../wire/scalar-text.js';
import { annotationOfType } from '../../wire/wire-text.js';
import { foreignKeyReader, type IdForm, idReader, type KeyReader, linkedIdReader, NO_KEY, relatedReader } from './key-reader.js';
import type { PlanWindow, Window } from './page.js';
import type {
  KeyProjection,
  ProjectedAttribute,
  ProjectedRelationship,
  ProjectionSource,
  RelationshipText,
  ResourceProjection,
  ResourceText,
  View,
} from './projection.js';
import { readableMembers } from './readable-members.js';
import { selectKey, selectProjection, type SelectRules } from './select-projection.js';

interface ProjectionRules extends SelectRules, IdForm {
  /** Whether the option `strict` is on. Attributes then contain no foreign keys. */
  readonly strict: boolean;
  /** Base URL of every link. */
  readonly endpoint: string;
  readonly planWindow: PlanWindow;
}

/** Maximum number of cached view projections; plain projections are not counted. */
const MOST_VIEWS = 200;

/**
 * Compiles and caches the projections of one API. Projections without `include` and `fields` are cached for the lifetime of the API. All
 * others are in an LRU cache, except those with windows. A view projection reuses the compiled attributes and relationships of the plain
 * one.
 */
export class Projections implements ProjectionSource {
  private readonly keys = new Map<Resource, KeyProjection>();
  private readonly plain = new Map<Resource, ResourceProjection>();
  private readonly views = new SecondChanceCache<string, ResourceProjection>(MOST_VIEWS);

  constructor(private readonly rules: ProjectionRules) {}

  keyOf(resource: Resource): KeyProjection {
    return found(this.keys, resource, () => ({
      kind: 'key',
      resource,
      selection: selectKey(resource, this.rules.storage),
      text: compileResource(resource, this.rules.endpoint),
      idOf: idReader(resource, this.rules),
    }));
  }

  bareOf(resource: Resource): ResourceProjection {
    return this.compile(resource, [], []);
  }

  of(resource: Resource, view: View): ResourceProjection {
    if (view.include.size === 0 && !view.fields.has(resource)) return this.plainOf(resource);
    // Not cached: windows contain filter values, and each new value would add an entry.
    if (view.windows !== undefined && view.windows.size > 0) return this.viewed(resource, view);
    return found(this.views, nameOfView(resource, view), () => this.viewed(resource, view));
  }

  private plainOf(resource: Resource): ResourceProjection {
    return found(this.plain, resource, () => {
      const { attributes, relationships } = readableMembers(resource, this.rules.strict);
      return this.compile(
        resource,
        attributes.map((attribute) => compileAttribute(attribute, resource.identifier)),
        relationships.map((one) => this.linked(resource, one)),
      );
    });
  }

  private viewed(resource: Resource, view: View): ResourceProjection {
    const plain = this.plainOf(resource);
    const fieldset = view.fields.get(resource);
    const isShown = ({ member }: Field): boolean => fieldset?.has(member) ?? true;
    const relationships = plain.relationships.flatMap((linked) => {
      const { relationship } = linked;
      const shown = isShown(relationship);
      const include = view.include.get(relationship);
      if (include) {
        const related = this.of(relationship.target, { ...view, include });
        return [{ ...this.including(linked, shown, related), ...this.windowed(relationship, related, view.windows?.get(include)) }];
      }
      return shown ? [linked] : [];
    });
    const attributes = plain.attributes.filter(({ attribute }) => isShown(attribute));
    return this.compile(resource, attributes, relationships);
  }

  private windowed(
    relationship: Relationship,
    { selection }: ResourceProjection,
    window: Window | undefined,
  ): Pick<ProjectedRelationship, 'window'> {
    return window ? { window: this.rules.planWindow(window, relationship, selection) } : {};
  }

  /** Compiles a relationship whose resources are not included. */
  private linked(owner: Resource, relationship: Relationship): ProjectedRelationship {
    const { many, linkageKey, target } = relationship;
    const text = compileRelationship(owner, relationship, this.rules.endpoint);
    const base = { relationship, shown: true, text, targetIdOf: idReader(target, this.rules) };
    if (many) return { ...base, linkage: 'none', ...this.reading(relationship, NO_KEY) };
    if (linkageKey) return { ...base, linkage: 'foreign-key', ...this.reading(relationship, foreignKeyReader(relationship)) };
    return { ...base, linkage: 'related', ...this.reading(relationship, relatedReader(relationship)), related: this.keyOf(target) };
  }

  private reading(relationship: Relationship, keyOf: KeyReader): Pick<ProjectedRelationship, 'keyOf' | 'linkedIdOf'> {
    return { keyOf, linkedIdOf: linkedIdReader(relationship, keyOf, this.rules) };
  }

  private including(linked: ProjectedRelationship, shown: boolean, related: ResourceProjection): ProjectedRelationship {
    if (linked.linkage !== 'none') return { ...linked, shown, related };
    const { relationship } = linked;
    return { ...linked, shown, related, linkage: 'related', ...this.reading(relationship, relatedReader(relationship)) };
  }

  private compile(
    resource: Resource,
    attributes: readonly ProjectedAttribute[],
    relationships: readonly ProjectedRelationship[],
  ): ResourceProjection {
    return {
      kind: 'resource',
      resource,
      attributes,
      relationships,
      selection: selectProjection({ resource, attributes, relationships }, this.rules),
      text: compileResource(resource, this.rules.endpoint),
      idOf: idReader(resource, this.rules),
      included: relationships.filter(({ related }) => related?.kind === 'resource'),
      isMixed: isMixed(resource, relationships),
    };
  }
}

/** Whether a resource has two different projections in a tree. */
function isMixed(root: Resource, relationships: readonly ProjectedRelationship[]): boolean {
  const projections = new Map<Resource, ResourceProjection | undefined>([[root, undefined]]);
  const repeats = ({ related }: ProjectedRelationship): boolean => {
    if (related?.kind !== 'resource') return false;
    const { resource } = related;
    if (projections.has(resource) && projections.get(resource) !== related) return true;
    projections.set(resource, related);
    return related.relationships.some(repeats);
  };
  return relationships.some(repeats);
}

function found<Key, Value>(cache: Cache<Key, Value>, key: Key, make: () => Value): Value {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

type Cache<Key, Value> = Pick<Map<Key, Value>, 'get'> & { set(key: Key, value: Value): unknown };

/**
 * Returns the cache key of a view: its fieldsets and included relationships, as far as this resource reaches them.
 *
 * @example
 * nameOfView(post, view); // 'Post[title,author](author:User(profile:Profile))'
 */
function nameOfView(resource: Resource, { include, fields }: View): string {
  const fieldset = fields.get(resource);
  let name = fieldset ? `${resource.model}[${[...fieldset].join()}]` : resource.model;
  if (include.size === 0) return name;
  name += '(';
  for (const [relationship, deeper] of include) {
    name += `${relationship.name}:${nameOfView(relationship.target, { include: deeper, fields })},`;
  }
  return `${name})`;
}

/** Compiles the constant parts of an attribute's text. */
function compileAttribute(attribute: Attribute, key: UniqueKey): ProjectedAttribute {
  const { member, type } = attribute;
  const name = JSON.stringify(member);
  const annotation = isReservedKey(member) || !ALWAYS_NOTED.has(type) ? undefined : annotationOfType(type);
  const note = annotation ? `.attributes.${name.slice(1)}:${JSON.stringify(annotation)}` : '';
  return { attribute, key, first: `${name}:`, next: `,${name}:`, textOf: SCALAR_TEXTS[type], note };
}

/** Types that JSON lacks. Float is not among them, because JSON lacks only `NaN` and the infinities. */
const ALWAYS_NOTED: ReadonlySet<Attribute['type']> = new Set(['BigInt', 'Decimal', 'DateTime', 'Bytes'] as const);

/** Compiles the constant parts of a resource object's text. */
function compileResource(resource: Resource, endpoint: string): ResourceText {
  return { open: identifierOf(resource), self: `,"links":{"self":${urlBefore(resource, endpoint)}` };
}

/** Compiles the constant parts of a relationship's text. */
function compileRelationship(owner: Resource, { member, target }: Relationship, endpoint: string): RelationshipText {
  const path = encodeURIComponent(member);
  const url = urlBefore(owner, endpoint);
  const open = `${JSON.stringify(member)}:{`;
  const identifier = identifierOf(target);
  const links = `"links":{"self":${url}`;
  return {
    open,
    data: `${open}"data":`,
    identifier,
    linked: `${open}"data":${identifier}`,
    linkedLinks: `},${links}`,
    unlinked: `${open}"data":null,${links}`,
    links: open + links,
    between: `/relationships/${path}","related":${url}`,
    after: `/${path}"}}`,
  };
}

function identifierOf({ type }: Resource): string {
  return `{"type":${JSON.stringify(type)},"id":`;
}

/** Returns the URL of a resource up to its id, with the opening quote. */
function urlBefore({ type }: Resource, endpoint: string): string {
  return JSON.stringify(`${endpoint}/${encodeURIComponent(type)}/`).slice(0, -1);
}
