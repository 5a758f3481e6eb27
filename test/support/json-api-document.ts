/** A JSON:API response document, as loosely as tests need it. */
export interface JsonApiDocument {
  readonly data?: ResourceObject | readonly ResourceObject[] | null;
  readonly included?: readonly ResourceObject[];
  readonly errors?: readonly ErrorObject[];
  readonly links?: Links;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly jsonapi?: { readonly version: string };
}

export interface Identifier {
  readonly type: string;
  readonly id: string | number;
  readonly meta?: { readonly page?: { readonly cursor: string } };
}

/** A resource object or a resource identifier object. */
export interface ResourceObject extends Identifier {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, RelationshipObject>>;
  readonly links?: Links;
  readonly meta?: Readonly<Record<string, unknown>> & { readonly page?: { readonly cursor: string } };
}

/** A required index, so that tests may write `relationships.author.data`. */
export interface RelationshipObject {
  readonly data?: Identifier | readonly Identifier[] | null;
  readonly links?: Links;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface ErrorObject {
  readonly id?: string;
  readonly code: string;
  readonly status: string | number;
  readonly title: string;
  readonly detail: string;
  readonly ormCode?: string;
  readonly links?: { readonly type: string };
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string };
  readonly meta?: Readonly<Record<string, unknown>>;
}

export type Links = Readonly<Record<string, string | null>>;
