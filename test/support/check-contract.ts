import type { INestApplication } from '@nestjs/common';
import { createOpenApiDocument } from '../../lib/index.js';
import type { OpenApiDocument, Operation } from '../../lib/openapi/open-api.js';
import type { Surface } from '../../lib/model/surface/surface.js';
import { mountedApis } from '../../lib/module/mounted-apis.js';
import type { RawResponse } from './check-rest-response.js';
import type { DocumentJudge } from './json-api-schema.js';
import type { OutgoingRequest } from './send-request.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** From `test/jest/runner/globals.mjs`: `schema-judges.mjs`. */
declare const judgeOfDocument: (document: string) => DocumentJudge;

/** The OpenAPI document of a running application, which checks its responses. */
export class Contract {
  readonly #document: OpenApiDocument;
  readonly #judge: DocumentJudge;
  readonly #paths: readonly DocumentedPath[];

  readonly #mayLack: boolean;

  /** @param mayLack whether row rules close operations for all callers. Their responses are empty, and they are not in the document */
  constructor(document: OpenApiDocument, { mayLack = false }: { readonly mayLack?: boolean } = {}) {
    this.#document = document;
    this.#mayLack = mayLack;
    this.#judge = judgeOfDocument(JSON.stringify(document));
    this.#paths = Object.entries(document.paths).map(([path, item]) => ({
      path,
      pattern: patternOf(path),
      item: item as DocumentedPath['item'],
    }));
  }

  /** The contract of an application's own document. */
  static of(app: INestApplication): Contract {
    const closesRows = mountedApis(app).some(({ compiled }) => hasClosedRows(compiled.model));
    return new Contract(createOpenApiDocument(app), { mayLack: closesRows });
  }

  /** @returns one sentence per breach; none for a path or a method that the document does not have */
  check({ method: sent, path, headers = {} }: OutgoingRequest, response: RawResponse): readonly string[] {
    const method = methodOf(sent, headers);
    // A response for caches of HTTP, which any read may have.
    if (response.status === 304) return [];
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
    // OpenAPI 3.1 has no QUERY; it is answered as GET is.
    const name = method === 'QUERY' ? 'get' : method.toLowerCase();
    const found = this.#paths.find(({ pattern, item }) => pattern.test(plain) && item[name] !== undefined);
    return found?.item[name];
  }

  #checkUndocumented(request: string, { status }: RawResponse): readonly string[] {
    return status < 400 && !this.#mayLack && !/^(HEAD|OPTIONS)/.test(request)
      ? [`${request} is answered ${status}, and the OpenAPI document does not have it.`]
      : [];
  }

  #checkBody(name: string, content: JsonObject, response: RawResponse): readonly string[] {
    const given = String(response.headers['content-type']);
    const type = given in content ? given : (given.split(';', 1)[0] ?? '');
    const media = content[type] as { readonly schema: object } | undefined;
    if (media === undefined) return [`${name} is documented as ${Object.keys(content).join(', ')}, and answered as ${type}.`];
    const breaches = this.#judge.breachesOf(media.schema, JSON.parse(response.text));
    return breaches.map(({ place, text }) => `${name} ${place}: ${text}`);
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

/** After the override that a POST may carry. */
function methodOf(sent: string, headers: Readonly<Record<string, string>>): string {
  const override = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-http-method-override');
  return sent === 'POST' && override ? override[1] : sent;
}

function hasClosedRows({ rows }: Surface): boolean {
  return [...(rows?.values() ?? [])].some((states) => Object.values(states).includes('closed'));
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
