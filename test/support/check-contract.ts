import type { INestApplication } from '@nestjs/common';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createOpenApiDocument } from '../../lib/index.js';
import type { OpenApiDocument, Operation } from '../../lib/openapi/open-api.js';
import type { RawResponse } from './check-rest-response.js';
import type { OutgoingRequest } from './send-request.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** The OpenAPI document of a running application, as a judge of its answers. */
export class Contract {
  readonly #document: JsonObject;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: readonly DocumentedPath[];

  constructor(document: OpenApiDocument) {
    formats.default(this.#ajv);
    // Formats of numbers that OpenAPI knows and JSON Schema does not.
    for (const format of ['int32', 'int64', 'double', 'decimal']) this.#ajv.addFormat(format, true);
    this.#document = { ...closed(document), $id: 'api' };
    this.#ajv.addSchema(this.#document, 'api');
    this.#paths = Object.entries(document.paths).map(([path, item]) => ({
      path,
      pattern: patternOf(path),
      item: item as DocumentedPath['item'],
    }));
  }

  /** The contract of an application's own document. */
  static of(app: INestApplication): Contract {
    return new Contract(createOpenApiDocument(app));
  }

  /** @returns one sentence per breach; none for a path or a method that the document does not have */
  check({ method: sent, path, headers = {} }: OutgoingRequest, response: RawResponse): readonly string[] {
    const override = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-http-method-override');
    const method = sent === 'POST' && override ? override[1] : sent;
    const operation = this.operationOf(method, path);
    if (operation === undefined) return this.#checkUndocumented(`${method} ${path}`, response);
    const key = response.status in operation.responses ? String(response.status) : response.status >= 400 ? 'default' : undefined;
    if (key === undefined) return [`The OpenAPI document has no response ${response.status} for ${operation.operationId}.`];
    const described = this.#resolve(operation.responses[key]) as { readonly content?: JsonObject };
    if (described.content === undefined) return response.text === '' ? [] : [`${operation.operationId} is documented to have no body.`];
    return this.#checkBody(operation.operationId, described.content, response);
  }

  /** The operation that documents a request, if any does. */
  operationOf(method: string, path: string): Operation | undefined {
    const plain = decodeURI(path.split('?', 1)[0] ?? '');
    const found = this.#paths.find(({ pattern, item }) => pattern.test(plain) && item[method.toLowerCase()] !== undefined);
    return found?.item[method.toLowerCase()];
  }

  #checkUndocumented(request: string, { status }: RawResponse): readonly string[] {
    return status < 400 && !/^(HEAD|OPTIONS)/.test(request)
      ? [`${request} is answered ${status}, and the OpenAPI document does not have it.`]
      : [];
  }

  #checkBody(name: string, content: JsonObject, response: RawResponse): readonly string[] {
    const type = String(response.headers['content-type']).split(';', 1)[0] ?? '';
    const media = content[type] as { readonly schema: { readonly $ref?: string } } | undefined;
    if (media === undefined) return [`${name} is documented as ${Object.keys(content).join(', ')}, and answered as ${type}.`];
    const validate = this.#validatorOf(media.schema);
    if (validate(JSON.parse(response.text))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${name} ${instancePath}: ${message ?? ''} ${JSON.stringify(params)}`,
    );
  }

  #validatorOf(schema: { readonly $ref?: string }): ValidateFunction {
    const key = JSON.stringify(schema);
    const known = this.#validators.get(key) ?? this.#ajv.compile(schema.$ref ? { $ref: `api${schema.$ref}` } : inDocument(schema));
    this.#validators.set(key, known);
    return known;
  }

  #resolve(part: unknown): unknown {
    const { $ref } = part as { readonly $ref?: string };
    if ($ref === undefined) return part;
    return $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((value, key) => (value as JsonObject)[key], this.#document);
  }
}

interface DocumentedPath {
  readonly path: string;
  readonly pattern: RegExp;
  readonly item: Readonly<Record<string, Operation | undefined>>;
}

/** Types match without regard to case. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${escaped}/?$`, 'i');
}

/** An object schema means its members and no others: a member that is not documented is a breach. */
function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member as unknown)]));
  const isSchema = copy['type'] === 'object' && typeof copy['properties'] === 'object' && copy['additionalProperties'] === undefined;
  return (isSchema ? { ...copy, additionalProperties: false } : copy) as Value;
}

function inDocument(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object;
}
