import { isReservedKey } from '../../wire/path.js';
import { type Attribute, type Relationship } from '../../model/resource-model.js';
import { type RelationshipShape, type ResourceShape } from '../parse/resource-shape.js';
import { foreignKeyReader, type KeyReader } from './foreign-key-reader.js';
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
  readonly keyOf: KeyReader;
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

const KEY_READERS: Readonly<Record<RelationshipShape['linkage'], (relationship: Relationship) => KeyReader>> = {
  'foreign-key': foreignKeyReader,
  'related':
    ({ name }) =>
    (row) =>
      row[name] as Row | null | undefined,
  'none': () => () => undefined,
};
