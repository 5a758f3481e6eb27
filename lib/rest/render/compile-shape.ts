import { isReservedKey } from '../../wire/path.js';
import { type Attribute, type Relationship } from '../../model/resource-model.js';
import { linkageKey } from '../parse/readable-members.js';
import { type RelationshipShape, type ResourceShape } from '../parse/resource-shape.js';
import { type Row } from './row.js';

/** A shape with what the renderer would otherwise work out again for every row. */
export interface CompiledShape {
  readonly attributes: readonly CompiledAttribute[];
  readonly relationships: readonly CompiledRelationship[];
}

export interface CompiledAttribute {
  readonly name: string;
  readonly member: string;
  /** Whether its value goes out as it is: JSON, whatever it looks like. */
  readonly isJson: boolean;
  /** Whether superjson takes a path through it. */
  readonly hasPath: boolean;
}

export interface CompiledRelationship {
  readonly shape: RelationshipShape;
  readonly member: string;
  /** The member as a segment of a URL. */
  readonly path: string;
  readonly shown: boolean;
  /** Present where its resources are included. */
  readonly included?: ResourceShape;
  /** Field values of the one related resource's id; null where there is none, undefined where the row does not tell. */
  readonly keyOf: (row: Row) => Row | null | undefined;
}

/** Compiles a shape once; that of a plain request lives as long as the model. */
export function compileShape(shape: ResourceShape): CompiledShape {
  let compiled = cache.get(shape);
  if (!compiled) {
    compiled = { attributes: shape.attributes.map(compileAttribute), relationships: shape.relationships.map(compileRelationship) };
    cache.set(shape, compiled);
  }
  return compiled;
}

const cache = new WeakMap<ResourceShape, CompiledShape>();

function compileAttribute({ name, member, type }: Attribute): CompiledAttribute {
  return { name, member, isJson: type === 'Json', hasPath: !isReservedKey(member) };
}

function compileRelationship(shape: RelationshipShape): CompiledRelationship {
  const { relationship, shown, linkage, related } = shape;
  const { member } = relationship;
  const included = related?.kind === 'resource' ? { included: related } : undefined;
  return { shape, member, path: encodeURIComponent(member), shown, ...included, keyOf: KEY_READERS[linkage](relationship) };
}

const KEY_READERS: Readonly<Record<RelationshipShape['linkage'], (relationship: Relationship) => CompiledRelationship['keyOf']>> = {
  'foreign-key': foreignKeyReader,
  'related':
    ({ name }) =>
    (row) =>
      row[name] as Row | null | undefined,
  'none': () => () => undefined,
};

/** Reads the related resource's id from the row's own fields. */
function foreignKeyReader(relationship: Relationship): CompiledRelationship['keyOf'] {
  const key = linkageKey(relationship);
  const pairs = (key?.fields ?? []).map((field, index) => [field, key?.references[index] ?? ''] as const);
  return (row) => {
    const values: Record<string, unknown> = {};
    for (const [field, reference] of pairs) {
      const value = row[field];
      if (value === null || value === undefined) return value;
      values[reference] = value;
    }
    return values;
  };
}
