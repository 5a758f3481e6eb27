import type { Serialization } from '../../wire/serialization.js';

/** A JSON:API document that succeeded (specification, section 2). */
export interface Document {
  readonly jsonapi: { readonly version: '1.1' };
  readonly data: PrimaryData;
  /** Present exactly when `include` was sent. */
  readonly included?: readonly ResourceObject[];
  readonly links: DocumentLinks;
  readonly meta?: DocumentMeta;
}

export type PrimaryData = ResourceOrIdentifier | readonly ResourceOrIdentifier[] | null;

type ResourceOrIdentifier = ResourceObject | Identifier;

/** Names one resource. */
export interface Identifier {
  readonly type: string;
  /** Of the id's native type where JSON carries it exactly; always a string in strict mode (decision D2). */
  readonly id: string | number;
}

export interface ResourceObject extends Identifier {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, RelationshipObject>>;
  readonly links: { readonly self: string };
}

/** Linkage, if it is known, and links, unless the related resources are included (decisions, "Included relationships"). */
export interface RelationshipObject {
  readonly data?: Linkage;
  readonly links?: RelationshipLinks;
}

export type Linkage = Identifier | readonly Identifier[] | null;

export interface RelationshipLinks {
  /** The linkage itself. */
  readonly self: string;
  /** What it leads to. */
  readonly related: string;
}

/** `first`, `last`, `prev` and `next` where the document is a page. */
export interface DocumentLinks {
  readonly self: string;
  readonly related?: string;
  readonly first?: string;
  readonly last?: string;
  readonly prev?: string | null;
  readonly next?: string | null;
}

export interface DocumentMeta {
  /** Resources in the whole collection, not only on the page. */
  readonly total?: number;
  /** The types of values that JSON lacks, by their paths from the root of the document. */
  readonly serialization?: Serialization;
}
