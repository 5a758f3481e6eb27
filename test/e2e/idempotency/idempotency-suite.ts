import { type CanActivate, type ExecutionContext, Module } from '@nestjs/common';
import { type ActionOf, type PlatformRequest, ResourceAction, ResourceActions, type ResourceApiOptions } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { AppSuite, type SuiteSetup } from '../../support/app-suite.js';
import type { Platform, TestApp } from '../../support/test-app.js';

export const JSON_API = 'application/vnd.api+json';

/** A random key, as anonymous callers need. */
export const KEY = '8e03978e-40d5-43dd-bc93-6894a57f9324';

export interface CallerRequest extends PlatformRequest {
  callerId?: string;
}

/** Sets the caller, and rejects callers whose rights were revoked. */
export class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    request.callerId = String(request.headers['x-caller'] ?? '');
    return request.headers['x-revoked'] === undefined;
  }
}

export const IDEMPOTENCY = { caller: ({ callerId }: CallerRequest) => callerId ?? '' } satisfies ResourceApiOptions['idempotency'];

/** A gate that blocks actions until it opens. */
export class Gate {
  arrived: Promise<void> = Promise.resolve();
  open: () => void = () => undefined;
  #isOpen: Promise<void> = Promise.resolve();
  #arrive: () => void = () => undefined;

  close(): void {
    this.#isOpen = new Promise((resolve) => (this.open = resolve));
    this.arrived = new Promise((resolve) => (this.#arrive = resolve));
  }

  async pass(): Promise<void> {
    this.#arrive();
    await this.#isOpen;
  }
}

export const gate = new Gate();

type Of = ActionOf<PrismaClient, 'Tag', undefined, CallerRequest>;

@ResourceActions('Tag')
export class TagActions {
  @ResourceAction({ on: 'record', right: 'update' })
  shout({ record, client }: Of): unknown {
    return client.tag.update({ where: { id: record.id }, data: { name: `${record.name}!` } });
  }

  /** An action that needs only the right to read, and writes. */
  @ResourceAction({ on: 'collection', right: 'read' })
  async slowly({ client }: Of): Promise<unknown> {
    await client.tag.create({ data: { name: 'slow' } });
    await gate.pass();
    return { count: await client.tag.count() };
  }
}

@Module({ providers: [TagActions] })
export class ActionsModule {}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** The headers that do not differ between equal responses. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly isReplayed: boolean;
  /** REST: the code of the first error; RPC: its reason. */
  readonly code: string | undefined;
}

/** Sends a request, and returns the whole response. */
export async function send({ url }: TestApp, { method = 'POST', path, body, headers }: Sent): Promise<Answer> {
  const type = path.startsWith('/api/rpc') ? 'application/json' : JSON_API;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const own = new Headers(response.headers);
  const isReplayed = own.get('idempotency-replayed') === 'true';
  for (const name of ['date', 'idempotency-replayed']) own.delete(name);
  return { status: response.status, headers: Object.fromEntries(own), text, isReplayed, code: codeOf(text) };
}

function codeOf(text: string): string | undefined {
  const { errors, reason } = (text === '' ? {} : JSON.parse(text)) as { errors?: readonly { code: string }[]; reason?: string };
  return errors?.[0]?.code ?? reason;
}

export const REST = '/api/rest';
export const RPC = '/api/rpc';
export const ADA = { 'x-caller': 'ada' };

/** Returns a create of a tag, whose rows tests count. */
export const tag = (name: string): Sent => ({ path: `${REST}/tag`, body: { data: { type: 'tag', attributes: { name } } } });

type Options = Omit<Partial<ResourceApiOptions>, 'idempotency' | 'rest'> & { readonly rest?: { readonly strict?: boolean } };

/** The option `idempotency` of an application, and its other options. */
interface Keyed {
  readonly idempotency: object;
  readonly options: Options;
}

function setupOf({ idempotency, options: { rest, ...options } }: Keyed): SuiteSetup {
  return {
    imports: [ActionsModule],
    options: {
      guards: [CallerGuard],
      // An integer field is the version.
      resources: { Post: { version: 'viewCount' } },
      idempotency: { ...IDEMPOTENCY, waitMs: 60_000, ...idempotency },
      rest: { operations: true, ...rest },
      ...options,
    },
  };
}

/** Applications with idempotency keys and a separate database, for the tests of one platform. */
export class KeyedApps extends AppSuite<Keyed> {
  constructor(platform: Platform) {
    super(platform, setupOf, { idempotency: {}, options: {} });
  }

  /** Starts another application beside `app`. */
  startWith(idempotency: object, options: Options = {}): Promise<TestApp> {
    return this.start({ idempotency, options });
  }

  /** Sends a request with a key. */
  keyed(sent: Sent, key = KEY, headers: Sent['headers'] = ADA, to = this.app): Promise<Answer> {
    return send(to, { ...sent, headers: { 'idempotency-key': key, ...headers, ...sent.headers } });
  }

  records(): Promise<number> {
    return this.database.prisma.idempotencyKey.count();
  }

  /** Counts the tags that requests have created. */
  tags(): Promise<number> {
    return this.database.prisma.tag.count({ where: { name: { startsWith: 'new' } } });
  }
}
