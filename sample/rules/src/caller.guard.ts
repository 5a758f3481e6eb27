import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { PlatformRequest } from 'nestjs-resource-api';
import { prisma } from './database.js';
import type { User } from './generated/prisma/client.js';

/** The properties of a caller that the rules use. */
export type Caller = Pick<User, 'id' | 'role'>;

/** A request after {@link CallerGuard}. */
export interface CallerRequest extends PlatformRequest {
  /** Absent: an anonymous reader. */
  caller?: Caller;
}

/** Looks up who the header `X-User-Id` names, which is enough for a sample; yours would verify a token. */
@Injectable()
export class CallerGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const id = request.headers['x-user-id'];
    if (id === undefined) return true;
    const caller = /^[1-9]\d{0,8}$/.test(String(id))
      ? await prisma.user.findUnique({ where: { id: Number(id) }, select: { id: true, role: true } })
      : null;
    if (caller === null) throw new UnauthorizedException('X-User-Id must be the id of a user.');
    request.caller = caller;
    return true;
  }
}
