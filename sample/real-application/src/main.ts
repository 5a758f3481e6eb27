import { NestFactory } from '@nestjs/core';
import { JwtService } from '@nestjs/jwt';
import { AppModule } from './app.module.js';
import { openDatabase } from './seed.js';

const app = await NestFactory.create(AppModule);
// In your application, an identity provider issues the tokens.
for (const { name, sub, org } of await openDatabase()) console.log(name, app.get(JwtService).sign({ sub, org }));
await app.listen(process.env['PORT'] ?? 3000);
