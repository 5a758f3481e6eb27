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
  readonly meta?: ItemMeta;
}

/** What stands beside a resource, or in a page of linkage beside its identifier. */
export interface ItemMeta {
  /** Of resources that have a version: the tag of it, for `If-Match`. */
  readonly etag?: string;
  /** Of items of a page between cursors: the cursor that falls on it (CP-12). */
  readonly page?: { readonly cursor: string };
}

export interface ResourceObject extends Identifier {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, RelationshipObject>>;
  readonly links: { readonly self: string };
}

/** Linkage, if it is known, and links, unless the related resources are included (decisions, "Included relationships"). */
export interface RelationshipObject {
  readonly data?: Linkage;
  readonly links?: RelationshipLinks & PageLinks;
  /** Of a window of the linkage. */
  readonly meta?: Pick<DocumentMeta, 'total' | 'page'> & { readonly partial?: true };
}

export type Linkage = Identifier | readonly Identifier[] | null;

export interface RelationshipLinks {
  /** The linkage itself. */
  readonly self: string;
  /** What it leads to. */
  readonly related: string;
}

/** `first`, `last`, `prev` and `next` where the document is a page. */
export interface DocumentLinks extends PageLinks {
  /** With its media type where a profile has shaped the document (LK-10). */
  readonly self: string | { readonly href: string; readonly type: string };
  readonly related?: string;
}

export interface PageLinks {
  readonly first?: string;
  readonly last?: string;
  readonly prev?: string | null;
  readonly next?: string | null;
}

export interface DocumentMeta {
  /** Resources in the whole collection, not only on the page. */
  readonly total?: number;
  readonly page?: PageMeta;
  /** The types of values that JSON lacks, by their paths from the root of the document. */
  readonly serialization?: Serialization;
}

interface PageMeta {
  /** Of pages between cursors: `meta.total` again, where their profile has it. */
  readonly total?: number;
  /** In place of the total, where counting all would take too long. */
  readonly estimatedTotal?: { readonly bestGuess: number };
  /** More lies between the two cursors of a range than the page shows (CP-09). */
  readonly rangeTruncated?: true;
}
