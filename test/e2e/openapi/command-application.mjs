// An application for openapi-command.test.ts. It cannot start: its database is unreachable. It keeps the process running, as a connection does.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { granted, ResourceApiModule } from 'nestjs-resource-api';

const id = { kind: 'scalar', type: 'Int', default: { kind: 'function', name: 'autoincrement' } };
const text = { kind: 'scalar', type: 'String' };
const post = { fields: { id, title: text, salary: text }, primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] };

class Database {
  connection = setInterval(() => undefined, 1000);

  onModuleInit() {
    throw new Error('The database is unreachable.');
  }
}

class HealthController {
  check() {
    return 'ok';
  }
}
Get()(HealthController.prototype, 'check', Object.getOwnPropertyDescriptor(HealthController.prototype, 'check'));
Controller('health')(HealthController);

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- Nest's modules are empty classes, and there are no decorators here.
export class AppModule {}
Module({
  imports: [
    ResourceApiModule.forRoot({
      schema: { version: 2, provider: 'postgresql', enums: {}, models: { Post: post } },
      getClient: () => ({}),
      grants: { hr: () => false },
      resources: { Post: { fields: { salary: { read: granted('hr') } } } },
      rest: { prefix: 'api/rest', endpoint: 'http://api.test/api/rest' },
      rpc: { prefix: 'api/rpc' },
    }),
  ],
  controllers: [HealthController],
  providers: [Database],
})(AppModule);
