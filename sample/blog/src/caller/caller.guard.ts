import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import type { PlatformRequest } from 'nestjs-resource-api';

/** A request after {@link CallerGuard}. */
export interface CallerRequest extends PlatformRequest {
  /** Absent: an anonymous reader. */
  callerId?: number;
}

/**
 * Trusts the header `X-User-Id` to name the caller, which is enough for a sample; yours would verify a token. It allows every request,
 * because the database enforces what a caller may read and write.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const header = request.headers['x-user-id'];
    if (header !== undefined) request.callerId = readUserId(header);
    return true;
  }
}

function readUserId(header: string | readonly string[]): number {
  const id = typeof header === 'string' && /^[1-9]\d{0,9}$/.test(header) ? Number(header) : NaN;
  if (id <= 2_147_483_647) return id;
  throw new UnauthorizedException('X-User-Id must be the id of a user.');
}
