import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ErrorResponder } from '../platform/error-responder.service.js';

/** Answers whatever a REST route throws as a JSON:API error document. Bound to this module's controllers only. */
@Catch()
export class RestExceptionFilter implements ExceptionFilter {
  constructor(private readonly responder: ErrorResponder) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.responder.respond(error, 'rest', host.switchToHttp().getResponse());
  }
}
