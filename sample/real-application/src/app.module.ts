import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { ResourceApiModule } from 'nestjs-resource-api';
import { AuditHooks } from './audit.js';
import { CallerGuard } from './caller.js';
import { prisma } from './database.js';
import { resourceSchema } from './generated/resource-schema.js';
import { grants, resources } from './resources.js';
import { rules } from './rules.js';
import { Mailer, TaskActions, TaskHooks } from './tasks.js';

@Module({
  imports: [
    JwtModule.register({ global: true, secret: process.env['JWT_SECRET'] ?? 'of this sample', signOptions: { expiresIn: '1h' } }),
    ResourceApiModule.forRoot({
      schema: resourceSchema,
      guards: [CallerGuard],
      getClient: () => prisma,
      rules,
      grants,
      resources,
      rest: { prefix: 'api/rest', endpoint: process.env['PUBLIC_URL'] ?? `http://localhost:${process.env['PORT'] ?? 3000}/api/rest` },
      rpc: { prefix: 'api/rpc' },
    }),
  ],
  providers: [AuditHooks, Mailer, TaskActions, TaskHooks],
})
export class AppModule {}
