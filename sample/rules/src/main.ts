import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { DATABASE_KIND } from './database.js';
import { BASE_URL, PORT } from './settings.js';

const app = await NestFactory.create(AppModule);
// Requests under way are answered, the database is closed, and the process ends with 0.
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
await app.listen(PORT);

console.log(`The blog API listens on ${BASE_URL}, with ${DATABASE_KIND}.`);
