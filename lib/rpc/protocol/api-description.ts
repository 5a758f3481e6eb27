/** What one caller can see and do in the RPC style: the response of `GET /$describe`. Names that are hidden from the caller are not in it. */
export interface ApiDescription {
  /** In the order of the Prisma schema. `GET /$describe/<model>` has only that model. */
  readonly models: readonly ModelDescription[];
  readonly limits: DescribedLimits;
}

/** Limits of requests. A limit that is off is the largest safe integer. */
export interface DescribedLimits {
  /** The most rows of one read. */
  readonly maxTake: number;
  /** The most operations of one `$transaction`, and the most records of one `createMany`. */
  readonly maxBatchSize: number;
  /** The most conditions of the filters of one request, with the elements of their lists and the terms of its order. */
  readonly maxFilterTerms: number;
  /** The page size of REST where a request has none. Absent where REST is off. */
  readonly pageSize?: number;
  /** The largest page size of REST. Absent where REST is off. */
  readonly maxPageSize?: number;
}

export interface ModelDescription {
  /** The delegate: `post`. */
  readonly model: string;
  /** The JSON:API type. Absent where REST does not serve the model. */
  readonly type?: string;
  /** The documentation comment of the Prisma schema. */
  readonly documentation?: string;
  /** The operations of RPC that the caller may call: `findMany`, … */
  readonly operations: readonly string[];
  readonly fields: readonly FieldDescription[];
  readonly relations: readonly RelationDescription[];
  /** The keys that may identify one record in a `where`. */
  readonly keys: readonly KeyDescription[];
  /** The operations that the application adds to the model, and `restore`, as far as the caller may call them. */
  readonly actions: readonly ActionDescription[];
  /** The field that counts the versions of a record. */
  readonly version?: string;
  /** Present where a delete marks the record as deleted. */
  readonly softDelete?: { readonly field: string };
}

/** A plain field. */
export interface FieldDescription {
  /** The name in Prisma. */
  readonly name: string;
  /** The scalar type of Prisma (`String`, `Int`, `DateTime`, …), or `Enum`. */
  readonly type: string;
  /** The form of the text of a value. Absent where the type says all. */
  readonly format?: 'uuid' | 'date';
  /** The values of an enum. */
  readonly values?: readonly string[];
  /** Whether the field is a list. */
  readonly list: boolean;
  /** Whether the field may be null. */
  readonly optional: boolean;
  /** Whether a create may omit the field. */
  readonly hasDefault: boolean;
  /** Whether the field alone may identify one record in a `where`. */
  readonly unique: boolean;
  readonly documentation?: string;
  /** What the caller may do with the field. */
  readonly rights: readonly FieldRight[];
  /** The operators that a filter may use. Absent where it may use all of the type, and without the right `filter`. */
  readonly operators?: readonly string[];
  /** Present where a filter may have `mode: 'insensitive'`. */
  readonly caseInsensitive?: true;
}

export type FieldRight = 'read' | 'filter' | 'sort' | 'create' | 'update';

/** A relation to another model. */
export interface RelationDescription {
  readonly name: string;
  /** The delegate of the related model. */
  readonly model: string;
  /** Whether the relation is to many records. */
  readonly list: boolean;
  /** Whether the relation to one record may be null. */
  readonly optional: boolean;
  /** The fields of this model that form the foreign key, as far as the caller can see them. Absent where the related model has the key. */
  readonly foreignKey?: readonly string[];
  /** The fields of the related model that the foreign key refers to. Absent where they are not the id that REST has. */
  readonly references?: readonly string[];
  /** The relation of the related model that leads back. Absent where it is hidden. */
  readonly opposite?: string;
  readonly rights: readonly FieldRight[];
}

/** A unique key. */
export interface KeyDescription {
  /** The name in a `where`: `id`, or `authorId_slug` of a compound key. */
  readonly name: string;
  readonly fields: readonly string[];
  readonly primary: boolean;
}

/** An operation of the application (`@ResourceAction`), or `restore`. */
export interface ActionDescription {
  readonly name: string;
  /** Whether the action is on one record, which `where` names, or on the collection. */
  readonly on: 'record' | 'collection';
  /** The JSON Schema of the argument `args`. Absent where the action takes none. */
  readonly body?: object;
  readonly documentation?: string;
}
