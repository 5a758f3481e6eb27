import {
  BadRequestException,
  HttpException,
  type NestApplicationOptions,
  RequestMethod,
  StreamableFile,
  type VersioningOptions,
} from '@nestjs/common';
import type { VersionValue } from '@nestjs/common/internal';
import { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import bodyParser from 'body-parser';
import cors from 'cors';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { finished } from 'node:stream';
import { NodeRequest, NodeResponse } from './node-messages.js';
import { createNodeRouter, type ErrorHandler, type Handler, type NodeRouter } from './node-router.js';

/**
 * An HTTP adapter on `node:http` with the contract of `NodeAdapter` of `@nestjs/platform-node`: a connect-style application, routes by
 * specificity, parsers for JSON and forms, and final handlers that are installed by `use`.
 */
export class NodeAdapter extends AbstractHttpAdapter<Server<typeof NodeRequest, typeof NodeResponse>, NodeRequest, NodeResponse> {
  declare protected instance: NodeRouter;
  private readonly sockets = new Set<{ destroy(): void }>();
  private hasParsers = false;

  constructor() {
    super(createNodeRouter(answerLast));
    for (const verb of VERBS) {
      const method = verb === 'all' ? undefined : verb.toUpperCase();
      this[verb] = (...given: [string, Handler] | [Handler]) => {
        const [path, handler] = given.length === 1 ? ['/', given[0]] : given;
        this.instance.route(method, path, handler);
      };
    }
  }

  getType(): string {
    return 'node';
  }

  isRouteOrderSensitive(): boolean {
    return false;
  }

  initHttpServer({ httpsOptions, forceCloseConnections }: NestApplicationOptions = {}): void {
    const classes = { IncomingMessage: NodeRequest, ServerResponse: NodeResponse };
    const listener = (request: NodeRequest, response: NodeResponse): void => {
      this.instance.handle(request, response);
    };
    this.httpServer = httpsOptions ? createSecureServer({ ...httpsOptions, ...classes }, listener) : createServer(classes, listener);
    if (forceCloseConnections) this.httpServer.on('connection', (socket: { destroy(): void }) => this.sockets.add(socket));
  }

  override listen(port: string | number, ...given: unknown[]): unknown {
    return this.httpServer.listen(Number(port), ...(given as []));
  }

  close(): Promise<unknown> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((resolve) => this.httpServer.close(resolve));
  }

  registerParserMiddleware(_prefix?: string, rawBody = false): void {
    if (this.hasParsers) return;
    this.hasParsers = true;
    const verify = (request: NodeRequest, _response: unknown, bytes: Buffer): void => {
      if (rawBody) request.rawBody = bytes;
    };
    this.use(bodyParser.json({ verify }));
    this.use(bodyParser.urlencoded({ extended: true, verify }));
  }

  enableCors(options?: unknown): void {
    this.use(cors(options));
  }

  setErrorHandler(handler: ErrorHandler): void {
    this.use(handler);
  }

  setNotFoundHandler(handler: Handler, prefix = ''): void {
    this.use(prefix === '' ? '/' : `/${prefix.replace(/^\/|\/$/g, '')}`, handler);
  }

  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- Nest's own type.
  createMiddlewareFactory(method: RequestMethod): (path: string, callback: Function) => void {
    // A path without a method has -1, which is not in the enumeration.
    const name = (RequestMethod as Readonly<Record<number, string>>)[method];
    return (given, callback) => {
      const isExact = given.endsWith('$');
      const path = withNamedWildcards(isExact ? given.slice(0, -1) : given);
      if (name === undefined && !isExact) this.instance.use(path, callback as Handler);
      else this.instance.useExact(name === 'ALL' ? undefined : name, path, callback as Handler);
    };
  }

  override normalizePath(path: string): string {
    return withNamedWildcards(path);
  }

  applyVersionFilter(handler: Handler, version: VersionValue, options: VersioningOptions) {
    return ExpressAdapter.prototype.applyVersionFilter(handler, version, options);
  }

  override mapException(error: unknown): unknown {
    if (error instanceof HttpException) return error;
    if (error instanceof SyntaxError || error instanceof URIError) return new BadRequestException(error.message);
    const { expose, statusCode } = error as { readonly expose?: boolean; readonly statusCode?: number };
    return error instanceof Error && expose && statusCode ? new HttpException(error.message, statusCode) : error;
  }

  reply(response: NodeResponse, body?: string | number | boolean | object | null, status?: number): void {
    if (status !== undefined) response.statusCode = status;
    if (body instanceof StreamableFile) {
      const { type, disposition, length } = body.getHeaders();
      for (const [name, value] of Object.entries({ 'Content-Type': type, 'Content-Disposition': disposition, 'Content-Length': length })) {
        if (value !== undefined && !response.hasHeader(name)) response.setHeader(name, value);
      }
      finished(response, () => body.getStream().destroy());
      body.getStream().pipe(response);
    } else if (body === undefined || body === null) response.end();
    else response.send(body);
  }

  status(response: NodeResponse, status: number): NodeResponse {
    return response.status(status);
  }

  end(response: NodeResponse, message?: string): ServerResponse {
    return response.end(message);
  }

  redirect(response: NodeResponse, status: number, url: string): void {
    response.writeHead(status, { Location: url }).end();
  }

  isHeadersSent(response: NodeResponse): boolean {
    return response.headersSent;
  }

  getHeader(response: NodeResponse, name: string): unknown {
    return response.getHeader(name);
  }

  setHeader(response: NodeResponse, name: string, value: string): void {
    response.setHeader(name, value);
  }

  appendHeader(response: NodeResponse, name: string, value: string): void {
    response.appendHeader(name, value);
  }

  getRequestHostname({ hostname }: NodeRequest): string | undefined {
    return hostname;
  }

  getRequestMethod({ method }: NodeRequest): string | undefined {
    return method;
  }

  getRequestUrl({ originalUrl, url }: NodeRequest): string | undefined {
    return originalUrl ?? url;
  }

  /** Serves no files: no test of this adapter requests one. */
  useStaticAssets(): this {
    return this;
  }

  setViewEngine(): never {
    throw new Error('The adapter of the tests has no views.');
  }

  render(): never {
    throw new Error('The adapter of the tests has no views.');
  }
}

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'search', 'query', 'all'] as const;

function answerLast(error: unknown, request: NodeRequest, response: NodeResponse): void {
  if (response.headersSent) request.socket.destroy();
  else response.status(error === undefined ? 404 : 500).send(error === undefined ? `Cannot ${request.method} ${request.url}` : 'Error');
}

/** Names the wildcards of older paths, as `LegacyRouteConverter` of Nest does. */
function withNamedWildcards(path: string): string {
  return path.replace(/\*(?![a-z_])/gi, '{*path}').replace(/\(\.\{\*path\}\)/g, '{*path}');
}
