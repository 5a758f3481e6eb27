import { getPrismaClient } from '@prisma/client/runtime/client';
import { getDMMF } from '@prisma/get-dmmf';
import type { DmmfDocument } from '../../lib/generator/dmmf.js';
import type { AdapterFactory } from './logged-adapter.js';

/** A Prisma client of any schema: each model is a delegate. */
export interface InlineClient {
  $executeRawUnsafe(sql: string): PromiseLike<number>;
  $disconnect(): Promise<void>;
}

interface ClientOptions {
  readonly adapter: AdapterFactory;
  readonly transactionOptions: { readonly maxWait: number; readonly timeout: number };
}

/** Returns Prisma's description of models for PostgreSQL. */
export function describeModels(
  models: string,
  previewFeatures: readonly string[] = [],
): { readonly text: string; readonly dmmf: DmmfDocument } {
  const features = previewFeatures.map((name) => `"${name}"`).join(', ');
  const text = `generator client {
  provider = "prisma-client"
  output = "./client"
  previewFeatures = [${features}]
}
datasource db {
  provider = "postgresql"
}
${models}`;
  const dmmf = getDMMF({ datamodel: text });
  if ('error' in dmmf) throw dmmf.error;
  return { text, dmmf };
}

/** Makes the client that `prisma generate` would write for a schema. Nothing is parameterized, so that no graph of parameters is needed. */
export function makeInlineClient(
  { text, dmmf }: { readonly text: string; readonly dmmf: DmmfDocument },
  previewFeatures: readonly string[],
  options: ClientOptions,
): InlineClient {
  const { models, enums } = dmmf.datamodel;
  const Client = getPrismaClient({
    previewFeatures: [...previewFeatures],
    clientVersion: '7.10.0',
    engineVersion: 'd1b3f377ca835d73fd50954a5e22128b9ebdd6b8',
    activeProvider: 'postgresql',
    inlineSchema: text,
    runtimeDataModel: {
      models: Object.fromEntries(
        models.map(({ name, dbName, fields }) => [
          name,
          {
            dbName,
            fields: fields.map((field) => ({
              name: field.name,
              kind: field.kind,
              type: field.type,
              ...(field.relationName && { relationName: field.relationName }),
              ...(field.dbName && { dbName: field.dbName }),
            })),
          },
        ]),
      ),
      enums: Object.fromEntries(enums.map(({ name, values, dbName }) => [name, { values, dbName: dbName ?? null }])),
      types: {},
    },
    parameterizationSchema: { strings: [], graph: EMPTY_GRAPH },
    compilerWasm: {
      getRuntime: () => load(`${COMPILER}.mjs`),
      getQueryCompilerWasmModule: async () => {
        const { wasm } = (await load(`${COMPILER}.wasm-base64.mjs`)) as { readonly wasm: string };
        return new Module(Buffer.from(wasm, 'base64'));
      },
      importName: './query_compiler_fast_bg.js',
    },
  } as never) as unknown as new (options: ClientOptions) => InlineClient;
  return new Client(options);
}

/** Prisma's query compiler has no types. */
const COMPILER = '@prisma/client/runtime/query_compiler_fast_bg.postgresql';
const load = (name: string): Promise<unknown> => import(name);

/** TypeScript declares WebAssembly for browsers alone. */
const { Module } = Reflect.get(globalThis, 'WebAssembly') as { readonly Module: new (bytes: Uint8Array) => object };

/** Three counts of 0, in base64. */
const EMPTY_GRAPH = 'AAAA';
