import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { PlatformRequest } from 'nestjs-resource-api';
import { type Caller, owner } from './database.js';

/** A request after {@link CallerGuard}. */
export interface CallerRequest extends PlatformRequest {
  /** Absent: an anonymous reader. */
  caller?: Caller;
}

/** Looks up the user of `X-User-Id`, because the policies need the caller's role too. Yours would verify a token. */
@Injectable()
export class CallerGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const id = request.headers['x-user-id'];
    if (id === undefined) return true;
    const caller = /^[1-9]\d{0,8}$/.test(String(id))
      ? await owner.user.findUnique({ where: { id: Number(id) }, select: { id: true, role: true } })
      : null;
    if (caller === null) throw new UnauthorizedException('X-User-Id must be the id of a user.');
    request.caller = caller;
    return true;
  }
}
