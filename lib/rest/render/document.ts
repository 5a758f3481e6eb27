import type { Serialization } from '../../wire/serialization.js';

/** A JSON:API document with data (specification, section 2). */
export interface Document {
  readonly jsonapi: { readonly version: '1.1' };
  readonly data: PrimaryData;
  /** Present exactly when the request has `include`. */
  readonly included?: readonly ResourceObject[];
  readonly links: DocumentLinks;
  readonly meta?: DocumentMeta;
}

export type PrimaryData = ResourceOrIdentifier | readonly ResourceOrIdentifier[] | null;

type ResourceOrIdentifier = ResourceObject | Identifier;

/** The identifier of one resource. */
export interface Identifier {
  readonly type: string;
  /** A number for a number key that JSON carries exactly, a string otherwise. Always a string in strict mode. */
  readonly id: string | number;
  readonly meta?: ItemMeta;
}

/** `meta` of a resource object, or of an identifier in a page of linkage. */
export interface ItemMeta {
  /** ETag for `If-Match`, of a resource that has a version. */
  readonly etag?: string;
  /** The item's cursor, on a page between cursors (CP-12). */
  readonly page?: { readonly cursor: string };
}

export interface ResourceObject extends Identifier {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, RelationshipObject>>;
  readonly links: { readonly self: string };
}

/** A relationship: linkage if the row holds it, and links unless the related resources are included. */
export interface RelationshipObject {
  readonly data?: Linkage;
  readonly links?: RelationshipLinks & PageLinks;
  /** Present if the linkage is filtered, sorted or paged. */
  readonly meta?: Pick<DocumentMeta, 'total' | 'page'> & { readonly partial?: true };
}

export type Linkage = Identifier | readonly Identifier[] | null;

export interface RelationshipLinks {
  /** URL of the linkage. */
  readonly self: string;
  /** URL of the related resources. */
  readonly related: string;
}

/** Links of a document; `first`, `last`, `prev` and `next` if it is a page. */
export interface DocumentLinks extends PageLinks {
  /** With its media type if a profile applies to the document (LK-10). */
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
  /** Number of resources in the whole collection, not only on the page. */
  readonly total?: number;
  readonly page?: PageMeta;
  /** Types of values that JSON lacks, by their paths from the document's root. */
  readonly serialization?: Serialization;
}

interface PageMeta {
  /** Same as `meta.total`, on pages between cursors, whose profile defines this member. */
  readonly total?: number;
  /** An estimate in place of the total, where counting all rows would take too long. */
  readonly estimatedTotal?: { readonly bestGuess: number };
  /** Present if the range between two cursors holds more items than the page (CP-09). */
  readonly rangeTruncated?: true;
}
