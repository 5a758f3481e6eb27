import type { INestApplication } from '@nestjs/common';
import type { ApiReply } from '../../lib/http/api-request.js';
import { writtenBody } from '../../lib/http/written-reply.js';
import { RestService } from '../../lib/rest/rest.service.js';

/**
 * Has an application check every body that it writes at once as bytes: they are those of the JSON text of the value that an interceptor would see.
 * An answer that breaks this is a 500.
 */
export function checkWrittenBodies(app: INestApplication): void {
  for (const service of restServices(app)) {
    const execute = service.execute.bind(service);
    service.execute = async (...given) => check(await execute(...given));
  }
}

function restServices(app: INestApplication): readonly RestService[] {
  try {
    return app.get<RestService>(RestService, { strict: false, each: true });
  } catch {
    // An application without the REST style.
    return [];
  }
}

function check(reply: ApiReply): ApiReply {
  const { toJson, toBytes } = writtenBody(reply) ?? {};
  const bytes = toBytes?.(Infinity);
  if (toJson && bytes && Buffer.from(bytes).toString() !== JSON.stringify(toJson())) {
    throw new Error(`What is written is not the JSON text of the body: ${Buffer.from(bytes).toString()}`);
  }
  return reply;
}
