import { type CanActivate, type DynamicModule, type ExecutionContext, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';

/** Notes what it sees of each request. */
export class NotingGuard<Noted> implements CanActivate {
  readonly seen: Noted[] = [];
  /** Whether it allows a request. */
  allows: (context: ExecutionContext) => boolean = () => true;

  constructor(private readonly note: (context: ExecutionContext) => Noted) {}

  canActivate(context: ExecutionContext): boolean {
    this.seen.push(this.note(context));
    return this.allows(context);
  }

  /** As it was at first. */
  reset(): void {
    this.seen.length = 0;
    this.allows = () => true;
  }
}

/** Returns a module with a guard for the whole application. */
export function guardingModule(guard: CanActivate): DynamicModule {
  return { module: GuardingModule, providers: [{ provide: APP_GUARD, useValue: guard }] };
}

@Module({})
class GuardingModule {}
