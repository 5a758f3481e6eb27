import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import createClient, { type QuerySerializer } from 'openapi-fetch';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { createOpenApiDocument } from '../../../lib/index.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { snippetsOf } from '../../docs/page-snippets.js';
import { long } from '../../support/long.js';
import { type SampleProcess, startSample } from '../../support/sample-process.js';

/** Below node_modules, so that the client's packages are found from there. */
const PLACE = fileURLToPath(new URL('../../../node_modules/.cache/nestjs-resource-api/generated-client/', import.meta.url));

const USE = `
import createClient from 'openapi-fetch';
import type { components, paths } from './blog.js';

const client = createClient<paths>({ baseUrl: 'http://localhost:3000' });

export async function use(): Promise<void> {
  const { data } = await client.GET('/api/rest/post', { params: { query: { filter: { 'title$contains': 'a', published: true }, include: 'author' } } });
  const title: string | undefined = data?.data[0]?.attributes?.title;
  const { data: created } = await client.POST('/api/rest/comment', {
    headers: { 'Content-Type': 'application/vnd.api+json' },
    body: { data: { type: 'comment', attributes: { body: 'Hi' }, relationships: { post: { data: { type: 'post', id: 1 } } } } },
  });
  const id: number | undefined = created?.data.id;
  const q: components['schemas']['PostFindManyArgs'] = { where: { published: true }, include: { author: true }, take: 2 };
  const { data: rows, error } = await client.GET('/api/rpc/post/findMany', { params: { query: { q: JSON.stringify(q) } } });
  const row: components['schemas']['Post'] | undefined = rows?.data[0];
  const message: string | undefined = error?.message;
  // @ts-expect-error -- there is no such path
  await client.GET('/api/rest/nothing');
  // @ts-expect-error -- the hidden field is nowhere
  const hidden: components['schemas']['UserFindManyArgs'] = { where: { passwordHash: 'x' } };
  console.log(title, id, row, message, hidden);
}
`;

long.describe('clients that are generated from the document', () => {
  let blog: SampleProcess;
  let document: OpenApiDocument;

  beforeAll(async () => {
    await mkdir(PLACE, { recursive: true });
    blog = await startSample('sample/blog/dist/main.js', 'curl -G');
    document = (await (await fetch(`${blog.url}/docs-json`)).json()) as OpenApiDocument;
  }, 120_000);
  afterAll(async () => {
    await blog.stop('SIGTERM');
    await rm(PLACE, { recursive: true });
  });

  it('have types of paths, parameters, bodies and responses of both styles', async () => {
    await writeTypes('blog.ts', document);
    await writeFile(`${PLACE}use.ts`, USE);
    expect(faultsOf('use.ts')).toEqual([]);
  }, 120_000);

  it('compile the snippet of docs/openapi.md', async () => {
    await writeTypes('api.ts', document);
    const snippet = snippetsOf('docs/openapi.md').find((code) => code.includes('querySerializer')) ?? '';
    await writeFile(`${PLACE}docs.ts`, snippet.replace(/take: 2/, "take: 2, orderBy: { id: 'asc' }"));
    await writeFile(`${PLACE}list.ts`, `${snippet}\nawait client.GET('/api/rest/post', { params: { query: { filter: { id: '1,2' } } } });`);
    expect([...faultsOf('docs.ts'), ...faultsOf('list.ts')]).toEqual([]);
  }, 120_000);

  it('compile for the widest schema', async () => {
    await writeTypes('widest.ts', createOpenApiDocument(buildResourceModel(resourceSchema).model));
    expect(faultsOf('widest.ts')).toEqual([]);
  }, 120_000);

  it('call both styles', async () => {
    // The types of the document are compiled above; here its paths are plain text.
    const client = createClient<never>({ baseUrl: blog.url, querySerializer }) as unknown as Untyped;
    const rest = await client.GET('/api/rest/post', { params: { query: { filter: { published: true }, page: { limit: 2 } } } });
    expect(rest).toMatchObject({ response: { status: 200 }, data: { data: [{ type: 'post' }, { type: 'post' }] } });
    const rpc = await client.GET('/api/rpc/post/findMany', { params: { query: { q: { where: { published: true }, take: 2 } } } });
    expect(rpc).toMatchObject({ response: { status: 200 }, data: { data: [{ id: expect.any(Number) as number }, {}] } });
  });
});

interface Untyped {
  GET(path: string, init: object): Promise<unknown>;
}

/** `filter[published]=true` for REST, JSON for the argument of RPC. */
const querySerializer: QuerySerializer<unknown> = (query) => {
  const parameters = Object.entries(query as Readonly<Record<string, unknown>>).flatMap(([name, value]): [string, string][] => {
    if (name === 'q' || name === 'meta') return [[name, JSON.stringify(value)]];
    if (typeof value !== 'object' || value === null) return [[name, String(value)]];
    return Object.entries(value).map(([key, member]) => [`${name}[${key}]`, String(member)]);
  });
  return new URLSearchParams(parameters).toString();
};

async function writeTypes(file: string, document: OpenApiDocument): Promise<void> {
  // Its type of a document has all members of OpenAPI 3.1, ours those that we write.
  const types = await openapiTS(document as unknown as Parameters<typeof openapiTS>[0]);
  await writeFile(PLACE + file, astToString(types));
}

function faultsOf(file: string): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    types: [],
  };
  const program = ts.createProgram([PLACE + file], options);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').slice(0, 400));
}
