import { NestFactory } from '@nestjs/core';
import { RESOURCE_MODEL, ResourceApiModule, type ResourceModel } from 'nestjs-resource-api';
import { AppModule } from './app.module.js';
import { DATABASE_KIND } from './database/prisma.js';
import { describeApi } from './describe-api.js';
import { BASE_URL, PORT } from './settings.js';
import { stopWithNpm } from './stop-with-npm.js';

const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] });
// Requests under way are answered, the database is closed, and the process ends with 0.
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
stopWithNpm();
await ResourceApiModule.setupDocs(app, {
  path: 'docs',
  title: 'Blog API',
  description:
    'The blog sample of nestjs-resource-api. Authorize with the id of a user (1 to 6) to see drafts and to write; without one you are an anonymous reader.',
  license: { name: 'MIT', identifier: 'MIT' },
  servers: [{ url: '/', description: 'The server of this page.' }],
  securitySchemes: { caller: { type: 'apiKey', in: 'header', name: 'X-User-Id', description: 'The id of a user, e.g. 1.' } },
  security: [{}, { caller: [] }],
});
await app.listen(PORT);

console.log(`The blog API listens on ${BASE_URL}, with ${DATABASE_KIND}.`);
console.log(describeApi(app.get<ResourceModel>(RESOURCE_MODEL, { strict: false }), BASE_URL));
