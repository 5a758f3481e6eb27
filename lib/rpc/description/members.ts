import type { Limits } from '../../model/limits.js';
import type { OwnAction, Surface } from '../../model/surface/surface.js';

/** What descriptions are made of. */
export interface DescriptionContext {
  /** The surface of the caller. Its `rows` are those that the rules allow the caller. */
  readonly surface: Surface;
  readonly limits: Pick<Limits, 'maxTake' | 'maxBatchSize' | 'maxFilterTerms'>;
  /** The page sizes of REST. Undefined where REST is off. */
  readonly rest: { readonly pageSize: number; readonly maxPageSize: number } | undefined;
  /** Returns the JSON Schema of the body of an action; undefined for an action without a body. */
  readonly bodyOf: (model: string, action: OwnAction) => object | undefined;
}

/** The members of a description. A member of the type that is missing here does not compile. */
export type Members<Description, Source> = {
  readonly [Name in keyof Description]-?: Member<Exclude<Description[Name], undefined>, Source>;
};

/** One member of a description: its schema in the OpenAPI document, and how its value is read. */
interface Member<Value, Source> {
  readonly schema: MemberSchema;
  /** Whether the member may be absent. */
  readonly optional?: true;
  readonly of: (source: Source, context: DescriptionContext) => Value | undefined;
}

/** The keywords of JSON Schema that members need. */
export interface MemberSchema {
  readonly type: 'string' | 'boolean' | 'integer' | 'array' | 'object';
  readonly enum?: readonly string[];
  readonly items?: MemberSchema;
  readonly properties?: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
}

type AnyMembers = Readonly<Record<string, Member<unknown, never>>>;

/** Reads the members of a description. */
export function describe<Description, Source>(
  members: Members<Description, Source>,
  source: Source,
  context: DescriptionContext,
): Description {
  const entries = Object.entries<Member<unknown, Source>>(members).map(([name, { of }]) => [name, of(source, context)] as const);
  // `as`: the type of the table has exactly the members of the description.
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Description;
}

export const TEXT: MemberSchema = { type: 'string' };
export const FLAG: MemberSchema = { type: 'boolean' };
export const COUNT: MemberSchema = { type: 'integer' };

export function listSchema(items: MemberSchema): MemberSchema {
  return { type: 'array', items };
}

export function schemaOf(members: AnyMembers): MemberSchema {
  const entries = Object.entries(members);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.flatMap(([name, { optional }]) => (optional ? [] : [name])),
  };
}
