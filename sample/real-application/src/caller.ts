import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { PlatformRequest } from 'nestjs-resource-api';
import { prisma } from './database.js';
import type { Membership } from './generated/prisma/client.js';

/** A request that {@link CallerGuard} has accepted. */
export interface CallerRequest extends PlatformRequest {
  caller: Pick<Membership, 'userId' | 'organizationId' | 'role'>;
}

/** The token has the caller and the organization. A former member of the organization cannot use an old token. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(private readonly jwt: JwtService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { authorization } = request.headers;
    const [, token = ''] = /^Bearer (.+)$/i.exec(String(authorization)) ?? [];
    const claims = await this.jwt.verifyAsync<{ sub: unknown; org: unknown }>(token).catch(() => undefined);
    const key = { organizationId: Number(claims?.org) || 0, userId: Number(claims?.sub) || 0 };
    const membership = await prisma.membership.findUnique({ where: { organizationId_userId: key } });
    if (!membership) throw new UnauthorizedException('A valid bearer token is needed.');
    request.caller = membership;
    return true;
  }
}
