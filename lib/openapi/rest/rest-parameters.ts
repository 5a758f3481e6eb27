import type { Resource } from '../../model/surface/surface.js';
import type { FamilyName } from '../../rest/parse/query-families.js';
import { readableMembers } from '../../rest/projection/readable-members.js';
import type { RestSettings } from '../../options/rest-settings.js';
import { type Components, SHARED } from '../components.js';
import type { DocumentedApi, DescribedStyle } from '../described-api.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import { exampleId, exampleOf, textAttribute } from '../examples.js';
import { type JsonSchema, type JsonSchemas, objectOf } from '../json-schema.js';
import type { Parameter, Reference } from '../open-api.js';
import { RestFilters } from './rest-filters.js';

/** Builds the query parameters of the REST style: one for each family and model, shared by all URLs that accept it. */
export class RestParameters {
  readonly #filters: RestFilters;

  constructor(
    private readonly components: Components,
    private readonly api: DocumentedApi,
    private readonly style: DescribedStyle<RestSettings>,
  ) {
    this.#filters = new RestFilters(components);
  }

  /** Returns the parameters of the given families, for URLs whose data are of a resource. */
  families(families: readonly FamilyName[], resource: Resource): readonly Reference[] {
    return this.#listsOf(families)(resource);
  }

  readonly #listsOf = memoizeByObject((families: readonly FamilyName[]) =>
    memoizeByObject((resource: Resource): readonly Reference[] => families.flatMap((family) => this.#families[family](resource) ?? [])),
  );

  /** Returns `include` for the URLs of all relationships, where every path starts with the name of the relationship. */
  includeFromRelationship(): Reference {
    return this.components.parameter('IncludeFromRelationship', SHARED, () => ({
      ...includeParameter([]),
      description:
        'Paths separated by commas, whose resources come along. Each starts with the relationship in the URL; dots reach further.',
    }));
  }

  readonly #families: Readonly<Record<FamilyName, (resource: Resource) => Reference | undefined>> = {
    filter: (resource) => {
      this.#filters.count(resource);
      return this.components.parameter(`${resource.model}Filter`, resource, () => this.#filter(resource));
    },
    sort: (resource) => this.components.parameter(`${resource.model}Sort`, resource, () => sortParameter(resource)),
    page: () => this.#page(),
    include: (resource) => {
      const paths = includable(resource);
      return paths.length === 0
        ? undefined
        : this.components.parameter(`${resource.model}Include`, resource, () => includeParameter(paths));
    },
    includePage: (resource) => this.#window(resource, 'includePage'),
    includeSort: (resource) => this.#window(resource, 'includeSort'),
    includeFilter: (resource) => this.#window(resource, 'includeFilter'),
    fields: () => this.components.parameter('Fields', this.style.surface, () => this.#fields()),
  };

  /** Returns the window parameters of included relationships. They are the same for all models, because they use the include path. */
  #window({ relationships }: Resource, family: keyof typeof WINDOWS): Reference | undefined {
    if (!relationships.some(({ many, rights }) => many && rights.read)) return undefined;
    const { name, schema, description } = WINDOWS[family];
    return this.components.parameter(name, SHARED, () => ({
      name: family,
      in: 'query',
      style: 'deepObject',
      explode: true,
      description,
      schema: { type: 'object', additionalProperties: schema },
      examples: { none: { summary: 'No window', value: {} } },
    }));
  }

  #filter(resource: Resource): Parameter {
    const schema = this.#filters.of(resource);
    const text = textAttribute(resource);
    const examples = {
      none: { summary: 'No filter', value: {} },
      ...(text && {
        contains: {
          summary: `${text.member} contains a text`,
          value: { [`${text.member}$contains`]: String(exampleOf(text)).slice(0, 5) },
        },
      }),
    };
    return { name: 'filter', in: 'query', style: 'deepObject', explode: true, description: FILTER_DESCRIPTION, schema, examples };
  }

  #page(): Reference {
    const { pageSize, maxPageSize } = this.style.settings;
    const maximum = Math.min(maxPageSize, this.api.limits.maxTake);
    const size: JsonSchema = { type: 'integer', minimum: 1, ...(maximum !== Infinity && { maximum }) };
    const properties: JsonSchemas = {
      offset: { type: 'integer', minimum: 0, default: 0 },
      limit: { ...size, ...(pageSize !== Infinity && { default: pageSize }) },
      // No defaults: a client that adds defaults would send both `limit` and `size`.
      number: { type: 'integer', minimum: 1 },
      size,
      after: { type: 'string', description: 'A cursor, from a link or `meta.page.cursor`.' },
      before: { type: 'string' },
    };
    return this.components.parameter('Page', this.style.settings, () => ({
      name: 'page',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description: PAGE_DESCRIPTION,
      schema: objectOf(properties),
      examples: {
        first: { summary: 'The first ten', value: { limit: 10 } },
        second: { summary: 'The next ten', value: { offset: 10, limit: 10 } },
        cursors: { summary: 'The first ten, with cursors to the next', value: { size: 10 } },
        numbered: { summary: 'The same, by its number', value: { number: 2, size: 10 } },
      },
    }));
  }

  #fields(): Parameter {
    const readable = this.style.surface.resources.filter(({ actions }) => actions.has('read'));
    const types = readable.map((resource): [string, JsonSchema] => {
      const { attributes, relationships } = readableMembers(resource, this.style.settings.strict);
      const members = [...attributes, ...relationships].map(({ member }) => member);
      return [resource.type, { type: 'string', description: members.join(', ') }];
    });
    return {
      name: 'fields',
      in: 'query',
      style: 'deepObject',
      explode: true,
      description: 'Sparse fieldsets: by type, the only fields that the document shows, separated by commas.',
      schema: objectOf(Object.fromEntries(types)),
      examples: { all: { summary: 'All fields', value: {} } },
    };
  }
}

const FILTER_DESCRIPTION = [
  '`filter[field]=value`, or `filter[field$operator]=value`. Several filters must all match; values separated by commas match any of them.',
  'A relationship takes the id of a related resource, or a field of it: `filter[relationship][field]=value`.',
].join(' ');

const PAGE_DESCRIPTION = [
  '`page[offset]` resources are left out, and `page[limit]` shown. `page[number]` (from 1) and `page[size]` say the same; one request uses either.',
  '`page[size]` without a number, `page[after]` and `page[before]` are those of the Cursor Pagination profile.',
].join(' ');

function sortParameter(resource: Resource): Parameter {
  const names = ['id', ...resource.attributes.filter(({ rights }) => rights.sort).map(({ member }) => member)];
  const counts = resource.relationships.filter(({ many, rights }) => many && rights.sort).map(({ member }) => `${member}.$count`);
  const unique = [...new Set([...names, ...counts])];
  return {
    name: 'sort',
    in: 'query',
    description: `Fields separated by commas, each with \`-\` before it for descending order: ${unique.map((name) => `\`${name}\``).join(', ')}. A path reaches through a to-one relationship: \`relationship.field\`.`,
    schema: { type: 'string' },
    examples: { none: { summary: 'By id', value: '' }, descending: { summary: 'Descending', value: `-${unique.at(1) ?? 'id'}` } },
  };
}

function includable({ relationships }: Resource): readonly string[] {
  return relationships.filter(({ rights }) => rights.read).map(({ member }) => member);
}

function includeParameter(paths: readonly string[]): Parameter {
  return {
    name: 'include',
    in: 'query',
    description: `Relationships separated by commas, whose resources come along; dots reach further: ${paths.map((path) => `\`${path}\``).join(', ')}.`,
    schema: { type: 'string' },
    examples: {
      none: { summary: 'Nothing', value: '' },
      ...(paths[0] !== undefined && { first: { summary: paths[0], value: paths[0] } }),
    },
  };
}

/** The window families, each with the schema of a value for one include path. */
const WINDOWS = {
  includePage: {
    name: 'IncludePage',
    schema: objectOf({
      offset: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 1 },
      size: { type: 'integer', minimum: 1 },
      after: { type: 'string' },
      before: { type: 'string' },
    }),
    description:
      'Which of the included resources a relationship shows, of each resource that has it: `includePage[comments][limit]=3`. `size`, `after` and `before` ask for pages between cursors.',
  },
  includeSort: { name: 'IncludeSort', schema: { type: 'string' }, description: 'Their order: `includeSort[comments]=-createdAt`.' },
  includeFilter: {
    name: 'IncludeFilter',
    schema: { type: 'object' },
    description:
      'Which are shown, by the filters of their type: `includeFilter[comments][published]=true`. It does not filter the primary data.',
  },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly schema: JsonSchema; readonly description: string }>>;

/** Returns the header If-Match if the resource has versions. */
export function ifMatch({ version }: Resource, components: Components): readonly Reference[] {
  if (!version) return [];
  const build = (): Parameter => ({
    name: 'If-Match',
    in: 'header',
    ...(version.isRequired && { required: true }),
    description: 'The `ETag` of the resource, or its `meta.etag`: it is changed only as long as it has that version.',
    schema: { type: 'string' },
    examples: { version: { value: '"3"' } },
  });
  return [components.parameter(version.isRequired ? 'RequiredIfMatch' : 'IfMatch', SHARED, build)];
}

/** Returns the error statuses of writes with If-Match, which may be required. */
export function conditionalErrors({ version }: Resource): readonly number[] {
  if (!version) return [];
  return version.isRequired ? [412, 428] : [412];
}

/** Returns the id parameter of a path. A key of several fields is described by its parts. */
export function idParameter({ identifier }: Resource, schema: JsonSchema, divider: string): Parameter {
  const { fields } = identifier;
  return {
    name: 'id',
    in: 'path',
    required: true,
    ...(fields.length > 1 && { description: fields.map(({ member }) => member).join(divider) }),
    schema,
    examples: { id: { value: exampleId(identifier, divider) } },
  };
}
