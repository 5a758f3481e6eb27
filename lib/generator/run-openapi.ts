import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isObject } from '../utils/is-object.js';
import { readGrants } from './browser-schema.js';
import { importModule } from './load-surface.js';
import { messageOf, type Terminal } from './terminal.js';

/**
 * Runs the command `openapi`: writes the OpenAPI document of an application. The application is created, but not started, so that it needs no
 * database.
 *
 * @returns the exit code: 0, or 2 if the document cannot be written
 */
export async function runOpenApi(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { app, out, ...content } = readOptions(args);
    const document = await documentOf(rootModule(await importModule(app), app), content);
    await writeFile(out, `${JSON.stringify(document, undefined, 2)}\n`);
    terminal.log(`${out} is written.`);
    return 0;
  } catch (error) {
    terminal.error(`nestjs-resource-api openapi: ${messageOf(error)}`);
    return 2;
  }
}

interface DocumentContent {
  readonly title: string;
  readonly version: string;
  readonly globalPrefix: string;
  readonly grants: readonly string[];
}

function readOptions(args: readonly string[]): DocumentContent & { readonly app: string; readonly out: string } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { 'app': text, 'out': text, 'grants': text, 'title': text, 'version': text, 'global-prefix': text },
  });
  const { app, out, grants, title = 'API', version = '1.0', 'global-prefix': globalPrefix = '' } = values;
  if (app === undefined) throw new Error('--app is missing: the compiled module of your application, e.g. dist/app.module.js.');
  if (out === undefined) throw new Error('--out is missing: the .json file to write.');
  return { app, out, title, version, globalPrefix, grants: readGrants(grants) };
}

type RootModule = new () => object;

/**
 * Returns the root module that a file exports: `AppModule`, or its only module.
 *
 * @throws Error if the file exports none, or several
 */
function rootModule(exported: object, file: string): RootModule {
  const all = { ...exported, ...('default' in exported && isObject(exported.default) && exported.default) };
  const modules = new Map(
    Object.values<unknown>(all)
      .filter(isModule)
      .map((module) => [module.name, module]),
  );
  const [only, ...others] = modules.values();
  const found = modules.get('AppModule') ?? (others.length === 0 ? only : undefined);
  if (found) return found;
  throw new Error(`${file} must export AppModule or one other module. It exports ${[...modules.keys()].join(', ') || 'none'}.`);
}

function isModule(value: unknown): value is RootModule {
  return typeof value === 'function' && value.name.endsWith('Module');
}

/** The used part of this package. It is loaded by its URL, because the other commands do without it. */
interface Package {
  readonly mergeOpenApi: (document: object, app: object, options: { readonly grants: readonly string[] }) => object;
}

/** Describes the routes of an application and its APIs, as `setupDocs` does. */
async function documentOf(module: RootModule, { title, version, globalPrefix, grants }: DocumentContent): Promise<object> {
  const { NestFactory } = await import('@nestjs/core');
  const { mergeOpenApi } = (await import(new URL('../index.js', import.meta.url).href)) as Package;
  const express = await import('@nestjs/platform-express').catch(() => undefined);
  const adapter = express ? new express.ExpressAdapter() : new (await import('@nestjs/platform-fastify')).FastifyAdapter();
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest's options are a class that nobody creates.
  const app = await NestFactory.create(module, adapter, { logger: ['error'], abortOnError: false });
  if (globalPrefix !== '') app.setGlobalPrefix(globalPrefix);
  const swagger = await import('@nestjs/swagger').catch(() => undefined);
  const own = swagger?.SwaggerModule.createDocument(app, new swagger.DocumentBuilder().build());
  const { paths = {}, components = {}, tags = [] } = own ?? {};
  return mergeOpenApi({ info: { title, version }, paths, components, tags }, app, { grants });
}
