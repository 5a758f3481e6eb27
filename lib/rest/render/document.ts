import type { Serialization } from '../../wire/serialization.js';

/** The members of a relationship beside its linkage, if the linkage is filtered, sorted or paged. */
export interface WindowMembers {
  readonly links: RelationshipLinks & PageLinks;
  readonly meta?: Pick<DocumentMeta, 'total' | 'page'> & { readonly partial?: true };
}

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
