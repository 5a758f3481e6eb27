import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ConfigurationError } from '../errors/configuration-error.js';
import { errorMessage } from '../errors/error-message.js';
import { remedyFor } from '../model/remedy-for.js';
import type { ResourceModel } from '../model/resource-model.js';
import { HOST_HOOKS, RESOURCE_MODEL } from '../options/tokens.js';
import { findHooks, requireFound } from './find-hooks.provider.js';
import type { HookMethod } from './hook.js';
import type { HookFailure, ApplicationHooks } from './application-hooks.js';

const logger = new Logger('ResourceApi');

/** Milliseconds for which a closing application waits for running hooks. It is less than the 30 seconds after which Kubernetes kills a process. */
const GRACE = 10_000;

/** Checks the hooks of the application once its providers exist, and waits for running hooks when the application closes. */
@Injectable()
export class HooksService implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    @Inject(HOST_HOOKS) private readonly hooks: ApplicationHooks | null,
    private readonly modules: ModulesContainer,
  ) {}

  /**
   * @throws ConfigurationError for a hook that would never be called: of an unknown model, or on a provider that is request-scoped, a value or made
   * by a factory
   */
  onApplicationBootstrap(): void {
    requireFound(this.modules);
    const given = findHooks(this.modules);
    const models = this.models();
    for (const hook of given) {
      requireModel(hook, models);
      requireOwner(hook);
    }
  }

  async onModuleDestroy(): Promise<void> {
    const busy = (await this.hooks?.settled(GRACE)) ?? [];
    if (busy.length > 0) logger.error(`The application is closed, and after ${GRACE} ms hooks are busy still: ${busy.join(', ')}.`);
  }

  /** Returns the names of the models of all APIs of the application, because a hook may be of a model of another API. */
  private models(): readonly string[] {
    const models = [...this.modules.values()].map(({ providers }) => providers.get(RESOURCE_MODEL)?.instance as ResourceModel | undefined);
    return [...new Set(models.flatMap((model) => (model ? [...model.storage.byModel.keys()] : [])))];
  }
}

function requireModel({ model, place }: HookMethod, models: readonly string[]): void {
  if (model === '*' || models.includes(model)) return;
  throw new ConfigurationError(
    `${place} is a hook of '${model}', which is no model of the schema.`,
    remedyFor(model, models, 'The models are'),
  );
}

function requireOwner({ owner, place }: HookMethod): void {
  if (typeof owner() === 'object' && owner() !== null) return;
  throw new ConfigurationError(
    `${place} is a hook of a provider that is made for each request.`,
    'Leave its scope, and those of what it injects, as they are by default: hooks are given the request.',
  );
}

/** Logs the failure of an `@AfterCommit` hook. The response has been sent by then. */
export function logFailure({ place, request, error }: HookFailure): void {
  const { summary, details } = errorMessage(error);
  // The query string is left out, because it may contain data that must not be logged.
  const after = request ? ` after ${request.method ?? ''} ${request.url?.split('?', 1)[0] ?? ''}` : '';
  logger.error(`The hook ${place} failed${after}, which is stored: ${summary}`, details);
}
